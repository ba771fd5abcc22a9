/**
 * The part of a WebSocket that sessions use; both the browser's and the one of the `ws` package
 * satisfy it.
 */
export type Socket = {
  readonly bufferedAmount: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  send(data: string): void;
  /** Browsers do not show pings. */
  on?(type: 'ping', listener: () => void): void;
  close(code?: number, reason?: string): void;
};

/** What the session needs of a WebSocket; the browser's and that of the package `ws` both are one. */
export type Socket = {
  readonly bufferedAmount: number;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  send(data: string): void;
  close(code?: number, reason?: string): void;
};

export type ValkeyWorkerData = {
  port: number;
};

export type ValkeyWorkerMessage =
  | { log: string }
  | { listening: true }
  | { failed: string; portTaken: boolean };

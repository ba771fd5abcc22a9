export type Frame = { readonly data: Buffer | string; readonly binary: boolean };
export type ReceivedFrame = { readonly data: Buffer; readonly binary: boolean };

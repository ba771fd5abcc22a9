/** The usual cause of an error, and what to do. Its meaning is in the protocol's catalogue. */
export type Remedy = { readonly cause: string; readonly action: string };

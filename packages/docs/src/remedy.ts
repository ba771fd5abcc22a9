/** Why somebody usually meets an error, and what they should do. What it means stands in the catalogue of the protocol. */
export type Remedy = { readonly cause: string; readonly action: string };

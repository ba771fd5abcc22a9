export type PageRequest = { offset: number; limit: number };
export type PageOf<Item> = { items: Item[]; total: number };

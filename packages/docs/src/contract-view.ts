import type { OpenApiDocument } from '@parley/protocol';

/** The parts of an OpenAPI document that the pages show. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
};

export type MediaType = {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
};

export type Content = {
  readonly description?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, MediaType>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
};

export type DescribedOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
};

export type ContractView = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operations: readonly PlacedOperation[];
};

export type PlacedOperation = {
  readonly path: string;
  readonly method: string;
  readonly operation: DescribedOperation;
};

type Document = {
  readonly tags: ContractView['tags'];
  readonly components: { readonly schemas: ContractView['schemas'] };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
};

export function viewContract(contract: OpenApiDocument): ContractView {
  const { tags, components, paths } = contract as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return { tags, schemas: components.schemas, operations };
}

export function nameOfReference($ref: string): string {
  return $ref.split('/').at(-1) ?? '';
}

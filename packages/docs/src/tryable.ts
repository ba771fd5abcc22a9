import type { OpenApiDocument } from '@parley/protocol';
import { viewContract, type ContractView, type PlacedOperation } from './contract-view.js';
import { exampleOfBody } from './example.js';

/** What the page needs to let its reader send a request. */
export type TryableOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
  }[];
  /** Initial JSON; absent without a body. */
  readonly body?: string;
  /** Name of the form field of an upload. */
  readonly upload?: string;
};

export function tryableOperations(contract: OpenApiDocument): TryableOperation[] {
  const view = viewContract(contract);
  return view.operations.map((placed) => tryable(placed, view));
}

function tryable({ path, method, operation }: PlacedOperation, view: ContractView) {
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json'];
  const [upload] = Object.keys(content['multipart/form-data']?.schema?.properties ?? {});
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    parameters: (operation.parameters ?? []).map(({ name, in: place, required = false }) => ({
      name,
      in: place,
      required,
    })),
    ...(json && { body: JSON.stringify(exampleOfBody(json, view.schemas), null, 2) }),
    ...(upload !== undefined && { upload }),
  };
}

import type { OpenApiDocument } from '@parley/protocol';
import { escapeHtml, page, withCode } from './page.js';

/** The parts of an OpenAPI document that the page shows. */
type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
};
type Content = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
};
type Described = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
};
type Document = {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

/** The contract as one page. It describes requests and sends none: keys belong on servers. */
export function referencePage(contract: OpenApiDocument): string {
  const { tags, paths, components } = contract as unknown as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<h2 id="${name}">${name}</h2>\n<p>${withCode(description)}</p>\n${own.map(operationSection).join('\n')}`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<h3 id="schema-${name}">${name}</h3>\n${withCode(schema.description ?? '')}${fieldsOf(schema)}`,
  );
  return page(
    'API reference',
    `<h1>API reference</h1>
<p>Every request takes an API key in <code>X-Api-Key</code> and the organization’s id in <code>X-Org-Id</code>. The same as
<a href="/api/v1/openapi.json">OpenAPI 3.1</a>, which makes clients in most languages.</p>
<p>${tags.map(({ name }) => `<a href="#${name}">${name}</a>`).join(' · ')} · <a href="#schemas">Schemas</a></p>
${groups.join('\n')}
<h2 id="schemas">Schemas</h2>
${schemas.join('\n')}`,
  );
}

type Placed = { readonly path: string; readonly method: string; readonly operation: Described };

function operationSection({ path, method, operation }: Placed): string {
  const { operationId, summary, description = '', parameters = [], requestBody } = operation;
  const sent = parameters.map(({ name, in: place, required, description: doc, schema }) =>
    row([named(name, required), place, typeOf(schema), withCode(doc ?? '')]),
  );
  const answers = Object.entries(operation.responses).map(([status, answer]) =>
    row([status, bodyOf(answer), withCode(answer.description)]),
  );
  return `<h3 id="${operationId}">${escapeHtml(summary)}</h3>
<p><code>${method.toUpperCase()} ${escapeHtml(path)}</code></p>
<p>${withCode(description)}</p>
${sent.length > 0 ? table(['Parameter', 'In', 'Type', 'Meaning'], sent) : ''}
${requestBody ? `<p>Body: ${bodyOf(requestBody)}</p>` : ''}
${table(['Status', 'Body', 'Meaning'], answers)}`;
}

function fieldsOf(schema: Schema): string {
  if (!schema.properties) return `<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(schema.properties).map(([name, field]) =>
    row([
      named(name, schema.required?.includes(name)),
      typeOf(field),
      withCode(field.description ?? ''),
    ]),
  );
  return table(['Field', 'Type', 'Meaning'], rows);
}

function bodyOf({ content = {} }: Content): string {
  return Object.entries(content)
    .map(([mediaType, { schema = {} }]) => `${typeOf(schema)} <small>${mediaType}</small>`)
    .join('<br>');
}

function typeOf(schema: Schema): string {
  const { $ref, items, type } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return typeof type === 'string' ? type : (type?.join(' or ') ?? 'anything');
}

const literal = (value: unknown) => `<code>${escapeHtml(JSON.stringify(value))}</code>`;
const named = (name: string, required = false) =>
  `<code>${escapeHtml(name)}</code>${required ? ' <small>required</small>' : ''}`;
const row = (cells: readonly string[]) =>
  `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const table = (heads: readonly string[], rows: readonly string[]) =>
  `<table><thead><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;

import type { OpenApiDocument } from '@parley/protocol';
import {
  nameOfReference,
  viewContract,
  type Content,
  type ContractView,
  type DescribedOperation,
  type PlacedOperation,
  type Schema,
} from './contract-view.js';
import { exampleOfBody } from './example.js';
import { codeBlock, escapeHtml, heading, table, withCode } from './html.js';
import type { Page } from './layout.js';
import type { Heading } from './markdown.js';

/** The contract as one page, on which each operation can be tried. */
export function referencePage(contract: OpenApiDocument): Page {
  const view = viewContract(contract);
  const groups = view.tags.map(({ name, description }) => {
    const own = view.operations.filter(({ operation }) => operation.tags.includes(name));
    const parts = own.map((placed) => operationSection(placed, view));
    return `${heading(2, name, name)}<p>${withCode(description)}</p>\n${parts.join('\n')}`;
  });
  const schemas = Object.entries(view.schemas).map(
    ([name, schema]) =>
      `${heading(3, `schema-${name}`, name)}${paragraph(schema.description)}${fieldsOf(schema)}`,
  );
  return {
    path: '/docs/api',
    title: 'API reference',
    summary: 'Every operation of the REST API, generated from its contract.',
    scripts: ['try.js'],
    headings: headingsOf(view),
    html: `<h1>API reference</h1>
<p>Every request takes an API key in <code>X-Api-Key</code> and the organization’s id in <code>X-Org-Id</code>. The same as
<a href="/api/v1/openapi.json">OpenAPI 3.1</a>, from which clients in most languages can be generated. Errors are
<a href="/docs/errors">listed with what to do about them</a>.</p>
<div id="try-credentials"></div>
${groups.join('\n')}
${heading(2, 'schemas', 'Schemas')}
${schemas.join('\n')}`,
  };
}

function headingsOf({ tags, operations, schemas }: ContractView): Heading[] {
  return [
    ...tags.flatMap(({ name }) => [
      { level: 2, id: name, text: name },
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ operation: { operationId, summary } }) => ({
          level: 3,
          id: operationId,
          text: summary.replaceAll('`', ''),
        })),
    ]),
    { level: 2, id: 'schemas', text: 'Schemas' },
    ...Object.keys(schemas).map((name) => ({ level: 3, id: `schema-${name}`, text: name })),
  ];
}

function operationSection({ path, method, operation }: PlacedOperation, view: ContractView) {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const sent = parameters.map(({ name, in: place, required, description: doc, schema }) => ({
    cells: [named(name, required), place, typeOf(schema), withCode(doc ?? '')],
  }));
  const verb = method.toUpperCase();
  return `<section class="operation">
${heading(3, operationId, withCode(summary))}
<p class="route"><span class="method ${method}">${verb}</span> <code>${escapeHtml(path)}</code></p>
${operation.deprecated ? '<p><strong>Deprecated.</strong> <a href="/docs/whats-new">What’s new</a> says what to use instead.</p>' : ''}${paragraph(description)}
${sent.length > 0 ? table(['Parameter', 'In', 'Type', 'Meaning'], sent) : ''}
${requestBody ? requestSection(requestBody, view) : ''}
${answersOf(operation)}
<div class="try" data-operation="${operationId}"></div>
</section>`;
}

/** Successful responses; refusals are collapsed. */
function answersOf({ responses }: DescribedOperation): string {
  const all = Object.entries(responses);
  const good = all.filter(([status]) => status < '400');
  const refusals = all.filter(([status]) => status >= '400');
  const answers = good.map(([status, answer]) => ({
    cells: [status, bodyOf(answer), withCode(answer.description ?? '')],
  }));
  const errors = refusals.map(([status, answer]) => ({
    cells: [status, withCode(answer.description ?? '').replaceAll('\n\n', '<br>')],
  }));
  return `${table(['Status', 'Body', 'Meaning'], answers)}
<details><summary>Errors: ${refusals.map(([status]) => status).join(', ')}</summary>
${table(['Status', 'Meaning'], errors)}</details>`;
}

function requestSection(body: Content, { schemas }: ContractView): string {
  const json = body.content?.['application/json'];
  const example = json && JSON.stringify(exampleOfBody(json, schemas), null, 2);
  return `<p>Body${body.required === false ? ', optional' : ''}: ${bodyOf(body)}</p>
${example === undefined ? '' : codeBlock({ code: example, language: 'json' })}`;
}

function fieldsOf(schema: Schema): string {
  if (!schema.properties) return `<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(schema.properties).map(([name, field]) => ({
    cells: [
      named(name, schema.required?.includes(name)),
      typeOf(field),
      withCode(field.description ?? ''),
    ],
  }));
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
    const name = nameOfReference($ref);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' or ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(' or ');
  if (items) return `list of ${typeOf(items)}`;
  return typeof type === 'string' ? type : (type?.join(' or ') ?? 'anything');
}

const paragraph = (text: string | undefined) =>
  text === undefined || text === '' ? '' : `<p>${withCode(text)}</p>`;
const literal = (value: unknown) => `<code>${escapeHtml(JSON.stringify(value))}</code>`;
const named = (name: string, required = false) =>
  `<code>${escapeHtml(name)}</code>${required ? ' <small>required</small>' : ''}`;

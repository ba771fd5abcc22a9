import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from '@parley/testkit';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import type { Manifest } from './chart.js';

const folder = join(toolsFolder(), 'schemas');

type Definition = AnySchemaObject & {
  properties?: Record<string, AnySchemaObject>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
};
type CustomResource = {
  spec: {
    names: { kind: string };
    group: string;
    versions: { name: string; schema: { openAPIV3Schema: AnySchemaObject } }[];
  };
};

const customResources = [
  'gateway.networking.k8s.io_httproutes.yaml',
  'monitoring.coreos.com_servicemonitors.yaml',
  'monitoring.coreos.com_prometheusrules.yaml',
  'keda.sh_scaledobjects.yaml',
];

/** Why a manifest is not what the API server knows. A field that the schema does not name is a mistake too. */
export function manifestChecker(): (manifest: Manifest) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const swagger = JSON.parse(readFileSync(join(folder, 'swagger.json'), 'utf8')) as {
    definitions: Record<string, Definition>;
  };
  ajv.addSchema({ $id: 'kubernetes', definitions: strict(swagger.definitions) });
  const validators = new Map<string, () => ValidateFunction>();
  for (const [name, definition] of Object.entries(swagger.definitions))
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind'] ?? [])
      validators.set([...(group ? [group] : []), version, kind].join('/'), () =>
        ajv.compile({ $ref: `kubernetes#/definitions/${name}` }),
      );
  for (const file of customResources) {
    const { spec } = parse(readFileSync(join(folder, file), 'utf8')) as CustomResource;
    for (const { name, schema } of spec.versions)
      validators.set(`${spec.group}/${name}/${spec.names.kind}`, () =>
        ajv.compile(resourceSchema(schema.openAPIV3Schema)),
      );
  }
  const compiled = new Map<string, ValidateFunction>();
  return (manifest) => {
    const type = `${manifest.apiVersion}/${manifest.kind}`;
    const validate = compiled.get(type) ?? validators.get(type)?.();
    if (!validate) return [`${type} is not known`];
    compiled.set(type, validate);
    validate(manifest);
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${manifest.kind} ${manifest.metadata.name}${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  };
}

/** A custom resource says nothing of metadata, which the API server checks itself. */
function resourceSchema(schema: AnySchemaObject): AnySchemaObject {
  const strictSchema = strict(schema);
  return {
    ...strictSchema,
    properties: { ...(strictSchema['properties'] as object), metadata: { type: 'object' } },
  };
}

/** The API server drops fields that it does not know; here they are refused. Numbers may stand for text and the reverse where Kubernetes says so. */
function strict<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(strict) as Schema;
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = schema as AnySchemaObject;
  if (node['x-kubernetes-int-or-string'] === true || node['format'] === 'int-or-string')
    return { type: ['integer', 'string'] } as Schema;
  const entries = Object.entries(node)
    // A flag inside of a pattern is Go's, not JavaScript's.
    .filter(([key, value]) => key !== 'pattern' || !String(value).includes('(?i)'))
    .map(([key, value]) => [key, strict(value as unknown)]);
  const copy = Object.fromEntries(entries) as AnySchemaObject;
  const isOpen =
    'additionalProperties' in node || node['x-kubernetes-preserve-unknown-fields'] === true;
  const isObjectSchema = typeof node['properties'] === 'object' && node['type'] === 'object';
  if (isObjectSchema && !isOpen) copy['additionalProperties'] = false;
  return copy as Schema;
}

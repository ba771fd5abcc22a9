import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { openApiDocument } from '#src/contract/openapi.js';
import { pathParameters, type Operation } from '#src/contract/operation.js';
import { operations } from '#src/contract/operations.js';
import { problemsOf } from '#src/contract/problems-of.js';
import { closeCodes } from '#src/close-codes.js';
import { Problem, problems } from '#src/errors.js';
import { RealtimeError, realtimeErrors } from '#src/realtime-errors.js';
import { validatorOf } from '#src/validation.js';

const document = openApiDocument('1.2.3');
const all = Object.entries<Operation>(operations);

describe('OpenAPI document', () => {
  it('has each operation once, under its path and method', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId }]: [string, { operationId?: string }]) =>
          `${operationId ?? ''} ${method} ${path}`,
      ),
    );
    expect(found).to.have.members([
      ...all.map(([id, { method, path }]) => `${id} ${method} /api/v1${path}`),
      'openRealtimeSession get /api/v1/Agent/{agentId}/realtime',
    ]);
  });

  it('resolves every reference', () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas).to.have.property(name ?? '');
  });

  it('has only path parameters that the path names', () => {
    for (const [id, operation] of all) {
      const names = pathParameters(operation).map(({ name }) => name);
      expect(new Set(names).size, id).to.equal(names.length);
      expect(names, id).to.include.members(Object.keys(operation.params ?? {}));
    }
  });

  it('says of each name in a path what may stand there', () => {
    for (const [id, operation] of all)
      for (const name of Object.keys(operation.params ?? {}))
        expect(operation.path, id).to.include(`{${name}}`);
  });

  it('never lists a secret among the answers', () => {
    const { Agent, Connection } = document.components.schemas as Record<
      string,
      { properties: object }
    >;
    expect(Agent?.properties).not.to.have.property('secrets');
    expect(Connection?.properties).not.to.have.property('secret');
  });

  for (const [id, operation] of all)
    it(`states every status that ${id} may answer`, () => {
      const { responses } = document.paths[`/api/v1${operation.path}`]![operation.method] as {
        responses: object;
      };
      const expected = [
        operation.success.status,
        ...(operation.success.orCreated ? [201] : []),
        ...(operation.success.orAccepted ? [202] : []),
        ...problemsOf(operation).map((code) => problems[code].status),
      ];
      expect(Object.keys(responses)).to.have.members([...new Set(expected.map(String))]);
    });
});

describe('examples of the contract', () => {
  type Media = { schema?: object; example?: unknown; examples?: Record<string, { $ref: string }> };
  type Parts = { content?: Record<string, Media> };
  type Described = { requestBody?: Parts; responses: Record<string, Parts>; parameters: object[] };
  const described = Object.values(document.paths).flatMap(
    (methods) => Object.values(methods) as (Described & { operationId: string })[],
  );
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const validators = new Map<string, ValidateFunction>();
  const misfit = (schema: object, value: unknown): string | undefined => {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
    const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
    validators.set(text, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
  const valuesOf = ({ example, examples = {} }: Media): unknown[] => [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples).map(
      ({ $ref }) => document.components.examples[$ref.split('/').at(-1) ?? '']?.value,
    ),
  ];

  for (const { operationId, requestBody, responses, parameters } of described)
    it(`of ${operationId} are there for requests and answers, and fit their schemas`, () => {
      const parts = [...(requestBody ? [requestBody] : []), ...Object.values(responses)];
      for (const { content = {} } of parts)
        for (const [type, media] of Object.entries(content)) {
          const values = valuesOf(media);
          if (type !== 'application/pdf') expect(values, type).not.to.have.length(0);
          for (const value of values)
            expect(misfit(media.schema ?? {}, value), `${type} ${JSON.stringify(value)}`).to.equal(
              undefined,
            );
        }
      for (const parameter of parameters as { name: string; example?: unknown; schema: object }[])
        if (parameter.example !== undefined)
          expect(misfit(parameter.schema, parameter.example), parameter.name).to.equal(undefined);
    });

  it('explain each operation beyond its summary', () => {
    for (const { operationId, ...operation } of described)
      expect((operation as unknown as { description: string }).description, operationId).to.match(
        /^\S.*\.\n\n/s,
      );
  });
});

describe('the words of the contract', () => {
  it('are those that every generator knows', () => {
    const formats = [...JSON.stringify(document).matchAll(/"format":"([^"]+)"/g)].map(([, f]) => f);
    expect([...new Set(formats)]).to.have.members(['date-time', 'uuid', 'uri', 'binary']);
  });

  it('tell for each discriminator which word means which schema', () => {
    const { Tool } = document.components.schemas as Record<string, { discriminator: object }>;
    expect(Tool?.discriminator).to.deep.equal({
      propertyName: 'kind',
      mapping: {
        http: '#/components/schemas/HttpTool',
        mcp: '#/components/schemas/McpTool',
        subagent: '#/components/schemas/SubagentTool',
        builtin: '#/components/schemas/BuiltinTool',
      },
    });
  });

  it('ask nobody to send what has a default', () => {
    const { AgentInput, AgentPatch } = document.components.schemas as Record<
      string,
      { properties: Record<string, { default?: unknown; description?: string }> }
    >;
    expect(AgentInput?.properties['voice']).to.include({ description: 'Default: `"alloy"`.' });
    for (const input of [AgentInput, AgentPatch])
      for (const property of Object.values(input?.properties ?? {}))
        expect(property).not.to.have.property('default');
    expect(AgentPatch?.properties['voice']).not.to.have.property('description');
  });
});

describe('error catalogues', () => {
  it('use names that fit a URL fragment', () => {
    for (const code of Object.keys(problems)) expect(code).to.match(/^[a-z]+(-[a-z]+)*$/);
  });

  it('give realtime errors of the WebSocket the close code of the same name', () => {
    for (const [name, { closeCode }] of Object.entries(realtimeErrors))
      if (closeCode !== null) expect(closeCodes).to.have.nested.property(`${name}.code`, closeCode);
  });

  it('have close codes that are unique, allowed on the wire and short enough as a reason', () => {
    const codes = Object.values(closeCodes).map(({ code }) => code);
    expect(new Set(codes).size).to.equal(codes.length);
    for (const code of codes)
      expect(
        code === 1000 || (code >= 1007 && code <= 1014) || (code >= 4000 && code < 5000),
      ).to.equal(true);
    for (const name of Object.keys(closeCodes)) expect(Buffer.byteLength(name)).to.be.at.most(123);
  });

  it('make problem bodies with field errors only when there are some', () => {
    expect(new Problem('conflict', 'In use.').body()).to.deep.equal({
      type: '/docs/errors#conflict',
      title: 'Conflict',
      status: 409,
      detail: 'In use.',
    });
    const errors = [{ path: '/name', message: 'is missing' }];
    expect(new Problem('body-invalid', 'No.', { errors }).body()).to.have.deep.property(
      'errors',
      errors,
    );
  });

  it('make realtime errors of exactly three fields', () => {
    expect(new RealtimeError('RealtimeNotEnabled', 'Off.').body()).to.deep.equal({
      status: 400,
      detail: 'Off.',
      errorCode: 'RealtimeNotEnabled',
    });
  });
});

describe('validation', () => {
  const agent = validatorOf(operations.createAgent.body);
  const errorsOf = (data: unknown) => {
    const result = agent(data);
    return result.ok ? [] : result.errors;
  };

  it('names a missing, an unknown and a wrong field together', () => {
    expect(errorsOf({ nmae: 'x', voice: 1 }).map(({ path }) => path)).to.have.members([
      '',
      '/nmae',
      '/voice',
    ]);
  });

  it('says what a field may be', () => {
    expect(errorsOf({ name: ' ' })).to.deep.equal([
      { path: '/name', message: 'must not be blank' },
    ]);
    expect(errorsOf({ name: 'x', imageUrl: 'javascript:alert(1)' })[0]?.message).to.match(
      /http or https/,
    );
    expect(errorsOf({ name: 'x', imageUrl: 'https://user:pw@host/' })).to.have.length(1);
  });

  it('judges a tool by its kind alone', () => {
    expect(errorsOf({ name: 'x', tools: [{ kind: 'builtin', name: 'sing' }] })).to.deep.equal([
      {
        path: '/tools/0/name',
        message: 'must be one of create_task, update_task, current_time, search_conversation',
      },
    ]);
  });

  it('accepts null where it means the default', () => {
    expect(errorsOf({ name: 'x', connectionId: null, model: null, imageUrl: null })).to.deep.equal(
      [],
    );
  });

  it('reports a bounded number of errors', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, 1]));
    expect(errorsOf(many)).to.have.length(20);
  });
});

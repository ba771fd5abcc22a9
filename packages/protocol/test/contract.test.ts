import { expect } from 'chai';
import { openApiDocument, problemsOf } from '#src/contract/openapi.js';
import { pathParameters, type Operation } from '#src/contract/operation.js';
import { operations } from '#src/contract/operations.js';
import { closeCodes } from '#src/close-codes.js';
import { Problem, problems, RealtimeError, realtimeErrors } from '#src/errors.js';
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
    expect(found).to.have.members(
      all.map(([id, { method, path }]) => `${id} ${method} /api/v1${path}`),
    );
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
      const { responses } = document.paths[`/api/v1${operation.path}`]?.[operation.method] as {
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

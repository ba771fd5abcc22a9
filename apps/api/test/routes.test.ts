import type { Request, Response } from 'express';
import { expect } from 'chai';
import { Problem } from '@parley/protocol';
import { routes } from '#src/http/routes.js';

const rows = [
  { method: 'get', path: '/Task' },
  { method: 'post', path: '/Task' },
  { method: 'get', path: '/Task/{taskId}' },
  { method: 'put', path: '/Task/externalId/{externalId}' },
  { method: 'get', path: '/Task/{taskId}/note/{noteId}' },
];

/** The path and the parameters of the route that is found; "none" if the next router is asked. */
function found(method: string, path: string): unknown {
  let answer: unknown = 'none';
  const handler = routes(
    rows.map((row) => ({
      ...row,
      handle: ({ params }) => void (answer = [row.method, row.path, { ...params }]),
    })),
  );
  const request = { method, path: `/api/v1${path}` } as Request;
  const response = { locals: {}, setHeader: () => undefined } as unknown as Response;
  void handler(request, response, () => undefined);
  return answer;
}

function refused(method: string, path: string): Problem {
  try {
    found(method, path);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error(`${method} ${path} was not refused.`);
}

describe('the routes of the contract', () => {
  it('find a path with its parameters', () => {
    expect(found('GET', '/Task')).to.deep.equal(['get', '/Task', {}]);
    expect(found('GET', '/Task/1')).to.deep.equal(['get', '/Task/{taskId}', { taskId: '1' }]);
    expect(found('GET', '/Task/1/note/2')).to.deep.equal([
      'get',
      '/Task/{taskId}/note/{noteId}',
      { taskId: '1', noteId: '2' },
    ]);
  });

  it('prefer a literal segment, and fall back to a parameter', () => {
    expect(found('PUT', '/Task/externalId/7')).to.deep.equal([
      'put',
      '/Task/externalId/{externalId}',
      { externalId: '7' },
    ]);
    expect(found('GET', '/Task/externalId')).to.deep.equal([
      'get',
      '/Task/{taskId}',
      { taskId: 'externalId' },
    ]);
    expect(found('GET', '/Task/externalId/note/7')).to.deep.equal([
      'get',
      '/Task/{taskId}/note/{noteId}',
      { taskId: 'externalId', noteId: '7' },
    ]);
  });

  it('decode parameters, and nothing else', () => {
    expect(found('GET', '/Task/a%2Fb')).to.deep.equal(['get', '/Task/{taskId}', { taskId: 'a/b' }]);
    expect(found('GET', '/%54ask')).to.equal('none');
    expect(refused('GET', '/Task/%E0%A4%A').code).to.equal('request-malformed');
  });

  it('leave other paths to the next router', () => {
    for (const path of [
      '/',
      '/task',
      '/Task/',
      '/Task//note/2',
      '/Task/1/note',
      '/Tasks',
      '//Task',
    ])
      expect(found('GET', path), path).to.equal('none');
    expect(found('GET', '/constructor')).to.equal('none');
    expect(found('GET', '/__proto__')).to.equal('none');
  });

  it('treat HEAD like GET, and refuse other methods with those that are allowed', () => {
    expect(found('HEAD', '/Task')).to.deep.equal(['get', '/Task', {}]);
    const { code, headers } = refused('DELETE', '/Task');
    expect(code).to.equal('method-not-allowed');
    expect(headers).to.deep.equal({ Allow: 'GET, POST' });
    expect(refused('OPTIONS', '/Task/1').headers).to.deep.equal({ Allow: 'GET' });
  });
});

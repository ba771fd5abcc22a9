import { expect } from 'chai';
import type { Request, Response } from 'express';
import type { RateVerdict } from '@parley/session-store';
import { admitCaller } from '#src/http/admit-caller.js';
import type { Recalled } from '#src/http/authenticate.js';
import type { Caller } from '#src/http/call.js';

const allowed = { kind: 'allowed', limit: 9, remaining: 8, resetSeconds: 60 } as const;
const unchanged: RateVerdict = { ...allowed, callerChanged: false };

function callerCalled(id: string): Caller {
  const actor = { kind: 'key', id, name: 'K' } as const;
  return { organizationId: 'o', id, openedBy: { keyId: id }, scopes: ['agents'], actor };
}

/** Who is admitted: the caller that is remembered, or the one that is looked up. */
async function admitted(verdict: RateVerdict, recalled?: Recalled): Promise<string> {
  const request = {} as Request;
  const response = { locals: {}, setHeader: () => undefined } as unknown as Response;
  const lookUp = () => Promise.resolve(callerCalled('looked up'));
  const limit = {
    name: 'requests',
    perMinute: 9,
    consume: () => Promise.resolve(verdict),
    consumeWith: () => Promise.resolve([verdict]),
  };
  const caller = await admitCaller(
    { request, response },
    { method: 'get', scope: 'agents' },
    {
      authenticate: Object.assign(lookUp, { recall: () => recalled }),
      throttles: [{ limit, required: false }],
    },
  );
  return caller.id;
}

describe('a caller that is remembered', () => {
  const recalled = (forMs: number): Recalled => ({
    caller: callerCalled('remembered'),
    until: performance.now() + forMs,
  });

  it('is not looked up again if it has not changed', async () => {
    expect(await admitted(unchanged, recalled(60_000))).to.equal('remembered');
  });

  it('is looked up again if it has changed', async () => {
    const changed = { ...allowed, callerChanged: true };
    expect(await admitted(changed, recalled(60_000))).to.equal('looked up');
  });

  it('is looked up again if nobody can tell whether it has', async () => {
    expect(await admitted({ kind: 'unknown' }, recalled(60_000))).to.equal('looked up');
  });

  it('is looked up again if the answer came too late to rely on', async () => {
    expect(await admitted(unchanged, recalled(0))).to.equal('looked up');
  });

  it('is looked up if there is none', async () => {
    expect(await admitted(unchanged)).to.equal('looked up');
  });
});

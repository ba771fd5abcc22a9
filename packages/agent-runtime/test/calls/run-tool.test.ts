import { expect } from 'chai';
import { newRun, openCall, type Run } from '#src/calls/call.js';
import { runTool } from '#src/calls/run-tool.js';
import type { BoundTool } from '#src/tools/tool.js';

describe('runTool', () => {
  const ran: (Run | null)[] = [];
  const tool = (kind: BoundTool['kind']): BoundTool => ({
    kind,
    declaration: { name: 'note', description: '' },
    approvalRequired: false,
    approvers: ['client', 'api'],
    timeoutMs: 1000,
    face: { title: null, imageUrl: null, button: null },
    run({ run }) {
      ran.push(run);
      return Promise.resolve({ status: 'succeeded', output: 'noted' });
    },
  });
  const call = openCall({ callId: 'c', name: 'note', arguments: '{}', position: 1 });
  const over = AbortSignal.abort(new Error('session ended'));
  beforeEach(() => (ran.length = 0));

  for (const kind of ['builtin', 'http', 'mcp', 'subagent'] as const)
    it(`begins no ${kind} tool for a session that ended while the call was claimed`, async () => {
      const outcome = await runTool(tool(kind), { call, run: null, arguments: {}, signal: over });
      expect(outcome).to.deep.equal({ kind: 'interrupted' });
      expect(ran).to.be.empty;
    });

  it('lets a sub-agent that had begun end its own calls', async () => {
    const run = newRun([], 1);
    await runTool(tool('subagent'), { call, run, arguments: {}, signal: over });
    expect(ran).to.deep.equal([run]);
  });

  it('runs a whole round on one signal without a warning of a leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const { signal } = new AbortController();
    const round = Array.from({ length: 16 }, () =>
      runTool(tool('builtin'), { call, run: null, arguments: {}, signal }),
    );
    await Promise.all(round);
    await new Promise(setImmediate);
    process.off('warning', note);
    expect(warnings).to.be.empty;
  });
});

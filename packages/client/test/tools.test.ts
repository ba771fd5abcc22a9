import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { z } from 'zod';
import { waitFor } from '@parley/testkit';
import { declarationsOf, runTool } from '#src/session/tools.js';

const book = {
  description: 'Books a table.',
  parameters: z.object({ people: z.number().int().min(1), at: z.string() }),
  execute: ({ people, at }: { people: number; at: string }) => `${people} at ${at}`,
};
const left = new AbortController().signal;
const called = (args: unknown) => ({ callId: 'c1', arguments: args });

describe('a tool with a schema of Zod', () => {
  it('tells the service its JSON schema', () => {
    const [declaration] = declarationsOf({ book });
    expect(declaration).to.include({ name: 'book', description: 'Books a table.' });
    expect(declaration!.parameters).to.deep.include({ type: 'object', required: ['people', 'at'] });
  });

  it('runs with what the schema makes of the arguments', async () => {
    const answer = await runTool(book, called({ people: 2, at: 'eight' }), left);
    expect(answer).to.deep.equal({ ok: true, output: '2 at eight' });
  });

  it('tells the model which arguments are invalid', async () => {
    const { ok, output } = await runTool(book, called({ people: 0, at: 8 }), left);
    expect(ok).to.equal(false);
    expect(output).to.match(/people: .*; at: /);
  });
});

describe('the answer of a tool', () => {
  const answers = [
    ['text as it is', 'done', 'done'],
    ['JSON of everything else', { a: [1, null] }, '{"a":[1,null]}'],
    ['null for nothing', undefined, 'null'],
    ['null for what has no JSON', () => 1, 'null'],
  ] as const;
  for (const [name, result, output] of answers)
    it(`is ${name}`, async () => {
      const tool = { description: 'x', execute: () => result };
      expect(await runTool(tool, called({}), left)).to.deep.equal({ ok: true, output });
    });

  const failures = [
    ['no JSON can be made of it', () => 1n, /BigInt/],
    ['the tool throws without words', () => Promise.reject(new Error('')), /The tool failed/],
  ] as const;
  for (const [name, execute, words] of failures)
    it(`is an error when ${name}`, async () => {
      const { ok, output } = await runTool({ description: 'x', execute }, called({}), left);
      expect(ok).to.equal(false);
      expect(JSON.parse(output)).to.have.property('error').that.matches(words);
    });

  it('is an error when the session ends meanwhile', async () => {
    const gone = new AbortController();
    const tool = { description: 'x', execute: () => new Promise(() => undefined) };
    const running = runTool(tool, called({}), gone.signal);
    gone.abort();
    expect(await running).to.deep.equal({ ok: false, output: '{"error":"The session ended."}' });
  });

  for (const timeoutMs of [Infinity, 2 ** 31])
    it(`is waited for without a limit that fits into a timer: ${timeoutMs} ms`, async () => {
      const execute = () => new Promise((resolve) => setTimeout(resolve, 20, 'done'));
      const tool = { description: 'x', execute, timeoutMs };
      expect(await runTool(tool, called({}), left)).to.deep.equal({ ok: true, output: 'done' });
    });

  it('leaves nothing in memory while the session goes on', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    let given: WeakRef<AbortSignal> | undefined;
    const execute = (_args: object, { signal }: { signal: AbortSignal }) => {
      given = new WeakRef(signal);
    };
    expect(await runTool({ description: 'x', execute }, called({}), left)).to.include({ ok: true });
    const isGone = () => {
      collectGarbage();
      return given?.deref() === undefined;
    };
    await waitFor(isGone, { what: 'the signal of the tool to be freed' });
    expect(isGone()).to.equal(true);
  });

  it('is an error when the arguments are no object', async () => {
    const { output } = await runTool(book, called('{"broken'), left);
    expect(output).to.match(/not a JSON object/);
  });
});

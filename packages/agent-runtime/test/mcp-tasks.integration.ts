import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import type { Tool } from '@parley/protocol';
import { waitFor } from '@parley/testkit';
import { McpHost, type HostedTask } from './support/mcp-host.js';
import { ended, never, Stage } from './support/stage.js';

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });

describe('an MCP tool that its server runs as a task', () => {
  let stage: Stage;
  before(async () => (stage = await Stage.open()));
  after(() => stage.close());

  const slow = {
    name: 'slow',
    inputSchema: { type: 'object' },
    execution: { taskSupport: 'required' },
  };

  const call = async (
    onTask: (task: HostedTask) => Promise<void> | void,
    { signal = never, ...more }: { signal?: AbortSignal; timeoutSeconds?: number } = {},
  ) => {
    const host = await new McpHost({ tools: [slow], onTask }).start();
    stage.onClose(() => host.kill());
    const tool: Tool = { kind: 'mcp', name: 'host', serverUrl: host.url, ...more };
    const agentId = await stage.agent([tool]);
    const toolbox = await stage.toolbox(agentId, await stage.place(agentId));
    const request = { callId: 'c', name: 'slow', arguments: '{}', position: 1 };
    const { outcome } = await ended(toolbox.advance(toolbox.newCall(request), signal));
    await toolbox.close();
    return { host, outcome };
  };

  it('has the result that the task ends with', async () => {
    const { outcome, host } = await call(async ({ taskId, store }) => {
      await store.updateTaskStatus(taskId, 'working', 'Half done.');
      await store.storeTaskResult(taskId, 'completed', text('At last.'));
    });
    expect(outcome).to.include({ status: 'succeeded', output: 'At last.' });
    expect(host.calls).to.deep.equal(['slow']);
  });

  it('tells the model why the task failed', async () => {
    const failing = await call(({ taskId, store }) =>
      store.updateTaskStatus(taskId, 'failed', 'The disk is full.'),
    );
    expect(failing.outcome).to.have.property('status', 'failed');
    expect(failing.outcome?.output).to.include('The disk is full.');
    const failed = await call(({ taskId, store }) =>
      store.storeTaskResult(taskId, 'failed', { ...text('Broken.'), isError: true }),
    );
    expect(failed.outcome).to.include({ status: 'failed', output: 'Broken.' });
  });

  it('fails where it asks for input, and the task is cancelled', async () => {
    let cancelled: () => Promise<boolean> = () => Promise.resolve(false);
    const { outcome } = await call(async ({ taskId, store }) => {
      cancelled = async () => (await store.getTask(taskId))?.status === 'cancelled';
      await store.updateTaskStatus(taskId, 'input_required');
    });
    expect(outcome?.output).to.include('asks for input');
    await waitFor(() => cancelled(), { what: 'the end of the task' });
  });

  it('fails where the server forgets the task, without being called again', async () => {
    const { outcome, host } = await call(({ store }) => store.cleanup());
    expect(outcome).to.have.property('status', 'failed');
    expect(outcome?.output).to.include('lost the task');
    expect(host.calls).to.deep.equal(['slow']);
  });

  it('is cancelled when its time is over', async () => {
    let cancelled: () => Promise<boolean> = () => Promise.resolve(false);
    const { outcome } = await call(
      ({ taskId, store }) => {
        cancelled = async () => (await store.getTask(taskId))?.status === 'cancelled';
      },
      { timeoutSeconds: 3 },
    );
    expect(outcome).to.have.property('status', 'failed');
    await waitFor(() => cancelled(), { what: 'the end of the task' });
  });
});

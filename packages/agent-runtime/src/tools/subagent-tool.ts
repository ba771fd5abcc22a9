import { customEvent, type Tool } from '@parley/protocol';
import type { Subagent } from '@parley/database';
import { newRun, type MadeCall, type Run } from '../calls/call.js';
import { isSilenced } from '../calls/run-tool.js';
import { commonOf, ToolFailure, type BoundTool, type Suspended, type ToolResult } from './tool.js';

export type SubagentTool = Extract<Tool, { kind: 'subagent' }>;

/** How many agents may ask one another in a row, not counting the one that the user talks to. */
const maxDepth = 3;

export const agentGone = 'This agent does not exist any more.';

const parameters = {
  type: 'object',
  properties: {
    question: {
      type: 'string',
      minLength: 1,
      description: 'What to ask, in full sentences: the agent knows nothing of this conversation.',
    },
  },
  required: ['question'],
} as const;

export type SubagentPorts = {
  /** The agent to ask; undefined if it was deleted meanwhile. */
  readonly agent: Subagent | undefined;
  /** The agents that are already answering, including the one that asks. */
  readonly ancestors: readonly string[];
  readonly emit: (event: string) => void;
  /** Advances the agent's run as far as possible, with calls that belong to the given one. */
  readonly answer: (agentId: string, run: Run, within: RunWithin) => Promise<Run>;
};

export type RunWithin = { readonly call: MadeCall; readonly signal: AbortSignal };

/** Another agent of the organization, which is asked in text and answers with its own tools. */
export function bindSubagentTool(tool: SubagentTool, ports: SubagentPorts): BoundTool {
  const { name, description = ports.agent?.description ?? '' } = tool;
  return {
    ...commonOf(tool),
    kind: 'subagent',
    declaration: { name, description, parameters },
    run({ call, run, isAdopted = false, arguments: input, signal }) {
      const { agent, ancestors } = ports;
      if (!agent) throw new ToolFailure(agentGone);
      if (ancestors.includes(agent.id))
        throw new ToolFailure(
          'This agent is answering already: asking it again would go in circles.',
        );
      if (ancestors.length > maxDepth)
        throw new ToolFailure(`At most ${maxDepth} agents may ask one another in a row.`);
      const question = String(input['question']);
      return ask(agent, { call, run, isNew: !run || isAdopted, signal, question }, ports);
    },
  };
}

async function ask(
  agent: Subagent,
  asked: RunWithin & {
    readonly run: Run | null;
    /** To the client. */
    readonly isNew: boolean;
    readonly question: string;
  },
  ports: SubagentPorts,
): Promise<ToolResult | Suspended> {
  const { call, signal, question } = asked;
  const tell = (event: string) => {
    if (!isSilenced(signal)) ports.emit(event);
  };
  const { id, name, icon, iconColor } = agent;
  const begun = asked.run ?? newRun([{ role: 'user', content: question }], call.position + 1);
  if (asked.isNew)
    tell(customEvent('subagent.start', { id, name, icon, iconColor, callId: call.callId }));
  let run: Run | undefined;
  try {
    run = await ports.answer(id, begun, { call, signal });
  } finally {
    if (run?.state !== 'waiting') tell(customEvent('subagent.done', { chatbotId: id }));
  }
  if (run.state === 'waiting') return { run };
  return run.state === 'answered'
    ? { status: 'succeeded', output: run.answer }
    : { status: 'failed', output: `The agent could not answer. ${run.answer}` };
}

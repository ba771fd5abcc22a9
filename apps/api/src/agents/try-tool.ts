import {
  argumentsHash,
  type ServerListings,
  type ToolTrials,
  type TrialOutcome,
} from '@parley/agent-runtime';
import { appendAudit, hasAgent, type Database } from '@parley/database';
import { Problem, type ToolTrial } from '@parley/protocol';
import type { Handlers } from '../http/call.js';
import { notFound } from '../http/found.js';

export type TrialPorts = { database: Database; trials: ToolTrials & ServerListings };

/** Runs a tool for a person. Nothing runs before it is recorded in the audit log. */
export function toolTrialOperations({
  database,
  trials,
}: TrialPorts): Pick<Handlers, 'tryTool' | 'listServerTools'> {
  return {
    tryTool: {
      visible: ({ caller, params }) =>
        database.inOrganization(caller.organizationId, (scope) => hasAgent(scope, params.agentId)),
      async run({ caller, params: { agentId, name }, body, commit }) {
        const { arguments: input = {} } = body;
        const opened = await trials.openTrial(caller.organizationId, agentId, name);
        if (opened.kind === 'no-tool' && opened.trouble !== '') {
          const answer = notListed(name, opened.trouble);
          return commit(() => Promise.resolve(answer));
        }
        if (opened.kind === 'no-tool') throw noTool(name, opened.names);
        if (opened.kind === 'no-agent') throw notFound();
        if (opened.kind === 'subagent')
          throw new Problem(
            'conflict',
            `${name} is a sub-agent. Ask that agent a question instead.`,
          );
        const { trial } = opened;
        try {
          await database.inOrganization(caller.organizationId, (scope) =>
            appendAudit(scope, {
              actor: caller.actor,
              action: 'agent.toolTried',
              resourceType: 'agent',
              resourceId: agentId,
              after: { tool: name, argumentsHash: argumentsHash(name, input) },
            }),
          );
          const answer = trialView(await trial.run(input));
          return await commit(() => Promise.resolve(answer));
        } finally {
          await trial.close();
        }
      },
    },
    listServerTools: {
      async run({ caller, params: { agentId, serverName: name } }) {
        const listing = await trials.listServer(caller.organizationId, agentId, name);
        if (listing.kind === 'no-agent') throw notFound();
        if (listing.kind === 'no-server') throw noServer(name, listing.servers);
        const { tools, problems } = listing;
        return { tools: [...tools], problems: [...problems] };
      },
    },
  };
}

function noTool(name: string, names: readonly string[]): Problem {
  const has = names.length > 0 ? `Its tools are ${names.join(', ')}.` : 'It has no tools to try.';
  return new Problem('not-found', `The agent has no tool named ${name}. ${has}`);
}

function noServer(name: string, servers: readonly string[]): Problem {
  const has = servers.length > 0 ? `Its servers are ${servers.join(', ')}.` : 'It has none.';
  return new Problem('not-found', `The agent has no MCP server named ${name}. ${has}`);
}

/** The tool may belong to a server that did not respond. */
function notListed(name: string, trouble: string): ToolTrial {
  const output = `There is no tool named ${name}. ${trouble}`;
  return { request: null, result: { status: 'failed', output }, durationMs: 0 };
}

const statuses = {
  succeeded: 'succeeded',
  failed: 'failed',
  refused: 'refused',
  timed_out: 'timedOut',
} as const satisfies Record<TrialOutcome['ending'], ToolTrial['result']['status']>;

function trialView({ request, ending, output, durationMs }: TrialOutcome): ToolTrial {
  return {
    request: request && { ...request, headers: { ...request.headers } },
    result: { status: statuses[ending], output },
    durationMs,
  };
}

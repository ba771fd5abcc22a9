import type { Parley, Agent } from '@parley/client/server';
import { useEffect, useState } from 'react';
import { tellFailure } from '../../parts/toasts.js';
import { Call } from './call.js';
import type { CallSetup, DecidedCall } from './call-setup.js';
import type { Verdict } from './call-state.js';
import { clientTools, type Tint } from './client-tools.js';
import { isPushToTalk, type Wishes } from './wishes.js';

export type PlaygroundSetup = {
  readonly parley: Parley;
  readonly agent: Agent | undefined;
  readonly wishes: Wishes;
  readonly paint: (tint: Tint) => void;
  readonly onUnsent: (text: string) => void;
};

/** The call of this page, for as long as it is mounted. */
export function useCall(given: PlaygroundSetup): Call {
  const setup = setupOf(given);
  const [call] = useState(() => new Call(setup));
  useEffect(() => {
    call.prepare(setup);
  });
  useEffect(() => call.live(), [call]);
  return call;
}

function setupOf({ parley, agent, wishes, paint, onUnsent }: PlaygroundSetup): CallSetup {
  return {
    wishes,
    pushToTalk: isPushToTalk(wishes, agent),
    tools: clientTools(wishes.tools, { paint, now: () => new Date() }),
    create: (request, signal) => {
      if (!agent) throw new Error('Choose an agent first.');
      return parley.realtimeSessions.create(agent.id, request, { signal });
    },
    decide: async (callId, approve) => {
      await (approve ? parley.approvals.approve(callId) : parley.approvals.reject(callId));
    },
    whoDecided: (decided) => whoDecided(parley, decided),
    onUnsent,
    onFailure: tellFailure,
  };
}

async function whoDecided(
  parley: Parley,
  { callId, conversationId, state }: DecidedCall,
): Promise<Verdict | undefined> {
  for await (const { callId: other, decidedBy, decidedAt } of parley.approvals.list({
    conversationId,
    state,
  }))
    if (other === callId)
      return {
        by: nameIn(decidedBy),
        at: decidedAt ?? new Date().toISOString(),
        approved: state === 'approved',
      };
  return undefined;
}

function nameIn(decidedBy: Readonly<Record<string, unknown>> | null): string {
  for (const name of [decidedBy?.name, decidedBy?.email])
    if (typeof name === 'string' && name !== '') return name;
  return 'somebody else';
}

import { customEvent } from '@parley/protocol';
import type { SaidMessage } from './ledger.js';
import { sendClient, stay, type Effect, type SessionState, type Step } from './session.js';

/**
 * Announces a recorded message to the client, unless it is empty or the client itself wrote it as
 * the agent's.
 */
export function announce(state: SessionState, message: SaidMessage, id: string): Step {
  const { agentId: chatbotId } = state.settings;
  const { role, content, status, author } = message;
  if (author === 'client' || status === 'failed') return stay(state);
  if (role === 'assistant')
    return stay(
      state,
      send(customEvent('response.id', { chatbotId, id })),
      send(customEvent('response.completed', { chatbotId })),
    );
  const createdAt = new Date(message.createdAt).toISOString();
  const data = { chatbotId, id, role, content, createdAt };
  return stay(state, send(customEvent('message.created', data)));
}

/** Announces to the client that the user's words changed since they were announced. */
export function announceAgain(state: SessionState, id: string, content: string): Step {
  return stay(state, send(customEvent('message.updated', { id, content })));
}

export const notStored: Effect = {
  kind: 'tell_error',
  code: 'MessageNotStored',
  message: 'A message of this session could not be stored.',
};

function send(data: string): Effect {
  return sendClient(data);
}

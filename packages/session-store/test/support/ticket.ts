import { randomUUID } from 'node:crypto';
import type { SessionTicket } from '#src/session-tokens.js';

export const ticket: SessionTicket = {
  organizationId: randomUUID(),
  agentId: randomUUID(),
  conversationId: randomUUID(),
  keyId: randomUUID(),
  voice: 'alloy',
  inputAudioFormat: 'pcm16',
  outputAudioFormat: 'pcm16',
  additionalInstructions: 'Sprich: „deutsch“',
  clientTools: [{ name: 'show_map', description: 'Shows a map.' }],
  fileIds: [randomUUID()],
};

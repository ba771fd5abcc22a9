import type { Call } from '#src/core/calls.js';
import { openSession, type SessionSettings, type SessionState } from '#src/core/session.js';

/** Of twelve characters, like those of a real session. */
export const codeFor = (name: string): string => name.slice(3, 15).padEnd(12, 'x');

/** The agent of the core tests: one tool of each owner. */
export const settings: SessionSettings = {
  agentId: '0c9a7a8e-6f4f-4c52-9a53-0d5c9a3f1b11',
  model: 'gpt-realtime',
  transcriptionModel: 'gpt-4o-mini-transcribe',
  voice: 'marin',
  turnDetection: { type: 'semantic_vad' },
  outputModalities: ['audio'],
  inputAudioFormat: 'pcm16',
  outputAudioFormat: 'g711_ulaw',
  instructions: 'Be kind.',
  additionalInstructions: 'Be brief.',
  backendTools: [{ name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } }],
  clientTools: [{ name: 'show_map', description: 'Shows a map.' }],
  connectTimeoutSeconds: 15,
  idleTimeoutSeconds: 60,
  maxSessionSeconds: 1800,
  clientToolTimeoutSeconds: 120,
  resumeGraceSeconds: null,
  isRestored: false,
  adopted: [],
  clientOverrides: 'refuse',
  redactSessionEcho: 'off',
  door: null,
  codeFor,
  history: [],
  lastPosition: 0,
  connectionIds: [null],
  providerRenewals: 0,
  jitter: 0,
};

export const greeting: SessionState = openSession(settings).state;
/** The agent's tools are still being listed. */
export const greetingUnlisted: SessionState = openSession({
  ...settings,
  backendTools: undefined,
}).state;
export const configuring: SessionState = { ...greeting, phase: 'configuring' };
export const running: SessionState = { ...greeting, phase: 'running', noticeSeconds: 60 };
export const withCalls: SessionState = {
  ...running,
  calls: new Map([
    ['mine', call({})],
    ['done', call({ state: 'answered', answeredBy: 'client' })],
    ['theirs', call({ owner: 'backend' })],
    ['over', call({ owner: 'backend', state: 'answered' })],
  ]),
  asked: [{ id: 'approval', callId: 'theirs', approvers: ['client', 'api'] }],
};

export function text(event: unknown): { data: Buffer; binary: boolean } {
  return {
    data: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)),
    binary: false,
  };
}

function call(part: Partial<Call>): Call {
  const fields = { owner: 'client', name: 'show_map', responseId: 'r', state: 'open' } as const;
  return { ...fields, answeredBy: null, ...part };
}

import { openSession, type SessionSettings, type SessionState } from '#src/core/session.js';

/** The agent of the core tests: one tool of each owner. */
export const settings: SessionSettings = {
  agentId: '0c9a7a8e-6f4f-4c52-9a53-0d5c9a3f1b11',
  model: 'gpt-realtime',
  transcriptionModel: 'gpt-4o-mini-transcribe',
  voice: 'marin',
  inputAudioFormat: 'pcm16',
  outputAudioFormat: 'g711_ulaw',
  instructions: 'Be kind.',
  additionalInstructions: 'Be brief.',
  backendTools: [{ name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } }],
  clientTools: [{ name: 'show_map', description: 'Shows a map.' }],
  connectTimeoutSeconds: 15,
  idleTimeoutSeconds: 60,
  maxSessionSeconds: 1800,
  clientOverrides: 'refuse',
  redactSessionEcho: false,
  history: [],
  lastPosition: 0,
};

export const greeting: SessionState = openSession(settings).state;
export const configuring: SessionState = { ...greeting, phase: 'configuring' };
export const running: SessionState = { ...greeting, phase: 'running', noticeSeconds: 60 };
export const withCalls: SessionState = {
  ...running,
  calls: new Map([
    ['mine', { owner: 'client', answered: false }],
    ['done', { owner: 'client', answered: true }],
    ['theirs', { owner: 'backend', answered: false }],
  ]),
};

export function text(event: unknown): { data: Buffer; binary: boolean } {
  return {
    data: Buffer.from(typeof event === 'string' ? event : JSON.stringify(event)),
    binary: false,
  };
}

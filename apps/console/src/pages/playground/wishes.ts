import type { AudioFormat, ToolDeclaration } from '@parley/client';
import type { Agent, RealtimeSessionRequest } from '@parley/client/server';

/** The user's settings for the sessions of this page, as the form holds them. */
export type Wishes = {
  /** Empty: the agent's own. */
  readonly voice: string;
  readonly turnDetection: 'agent' | 'semantic_vad' | 'server_vad' | 'none';
  readonly eagerness: 'auto' | 'low' | 'medium' | 'high';
  /** Milliseconds; empty: the provider's default. */
  readonly silence: string;
  /** `auto`: by voice if the user talks, in text if the user types. */
  readonly answers: 'auto' | 'audio' | 'text';
  readonly instructions: string;
  readonly inputFormat: AudioFormat;
  readonly outputFormat: AudioFormat;
  /** Ids of temporary files, separated by spaces or commas. */
  readonly files: string;
  /** Names of the client tools that are switched on. */
  readonly tools: readonly string[];
};

export const noWishes: Wishes = {
  voice: '',
  turnDetection: 'agent',
  eagerness: 'auto',
  silence: '',
  answers: 'auto',
  instructions: '',
  inputFormat: 'pcm16',
  outputFormat: 'pcm16',
  files: '',
  tools: [],
};

export type Circumstances = {
  readonly conversationId?: string | undefined;
  readonly clientTools: readonly ToolDeclaration[];
  /** Whether the user talks or types. */
  readonly talking: boolean;
};

/** The body that creates the session, without values that are already the default. */
export function sessionRequest(
  wishes: Wishes,
  { conversationId, clientTools, talking }: Circumstances,
): RealtimeSessionRequest {
  const { voice, instructions, inputFormat, outputFormat } = wishes;
  const turnDetection = turnDetectionOf(wishes);
  const outputModalities = modalitiesOf(wishes, talking);
  const fileIds = wishes.files.split(/[\s,]+/).filter((id) => id !== '');
  return {
    ...(conversationId !== undefined && { conversationId }),
    ...(voice.trim() !== '' && { voice: voice.trim() }),
    ...(turnDetection && { turnDetection }),
    ...(outputModalities && { outputModalities }),
    ...(instructions.trim() !== '' && { additionalInstructions: instructions }),
    ...(inputFormat !== 'pcm16' && { inputAudioFormat: inputFormat }),
    ...(outputFormat !== 'pcm16' && { outputAudioFormat: outputFormat }),
    ...(clientTools.length > 0 && { clientTools }),
    ...(fileIds.length > 0 && { fileIds }),
  };
}

function turnDetectionOf({
  turnDetection: type,
  eagerness,
  silence,
}: Wishes): RealtimeSessionRequest['turnDetection'] {
  if (type === 'agent') return undefined;
  if (type === 'none') return { type };
  if (type === 'semantic_vad') return { type, ...(eagerness !== 'auto' && { eagerness }) };
  const silenceDurationMs = Number(silence);
  return { type, ...(silence.trim() !== '' && { silenceDurationMs }) };
}

export function modalitiesOf(
  { answers }: Wishes,
  talking: boolean,
): RealtimeSessionRequest['outputModalities'] {
  if (answers !== 'auto') return [answers];
  return talking ? undefined : ['text'];
}

/** Without turn detection, the user holds the button while talking. */
export function isPushToTalk({ turnDetection }: Wishes, agent: Agent | undefined): boolean {
  const type = turnDetection === 'agent' ? agent?.turnDetection.type : turnDetection;
  return type === 'none';
}

import { Type, type Static } from '@sinclair/typebox';
import { FileIds } from './temporary-file.js';
import { OutputModalities, TurnDetection } from './turn-detection.js';
import { DateTime, Name, Nullable, Uuid } from './text.js';

export const audioFormats = {
  pcm16: { type: 'audio/pcm', rate: 24000 },
  g711_ulaw: { type: 'audio/pcmu' },
  g711_alaw: { type: 'audio/pcma' },
} as const satisfies Record<string, { type: string; rate?: number }>;

export type AudioFormat = keyof typeof audioFormats;

export function isAudioFormat(text: string): text is AudioFormat {
  return Object.hasOwn(audioFormats, text);
}

export const clientToolLimits = {
  perSession: 64,
  nameLength: 64,
  descriptionLength: 4096,
} as const;

export const ClientTool = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: clientToolLimits.nameLength,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'Case-sensitive; unique in the request and among the agent’s backend tools.',
    }),
    description: Name(clientToolLimits.descriptionLength),
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'JSON schema of the arguments; an empty object schema when omitted.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type ClientTool = Static<typeof ClientTool>;

export const RealtimeSessionRequest = Type.Object(
  {
    conversationId: Type.Optional(Nullable(Uuid(), { default: null })),
    inputAudioFormat: Type.Optional(Type.String({ maxLength: 64, default: 'pcm16' })),
    outputAudioFormat: Type.Optional(Type.String({ maxLength: 64, default: 'pcm16' })),
    voice: Type.Optional(
      Name(64, { description: 'The agent’s voice when omitted, alloy by default.' }),
    ),
    turnDetection: Type.Optional(
      Type.Unsafe<TurnDetection>({
        ...TurnDetection,
        description:
          'How the end of the user’s speech is detected; the agent’s setting when omitted. `none` is push-to-talk: the client commits the audio and requests the response.',
      }),
    ),
    outputModalities: Type.Optional(
      Type.Unsafe<OutputModalities>({
        ...OutputModalities,
        description:
          'How the agent answers: `audio` with a transcript, or only `text`; the agent’s setting when omitted.',
      }),
    ),
    additionalInstructions: Type.Optional(
      Nullable(Type.String({ maxLength: 32_768 }), { default: null }),
    ),
    clientTools: Type.Optional(
      Type.Array(ClientTool, { maxItems: clientToolLimits.perSession, default: [] }),
    ),
    fileIds: Type.Optional(FileIds),
    resumable: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the session outlives its connection: the client can reconnect within `resumeGraceSeconds`, and nothing is lost or repeated.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RealtimeSessionRequest = Static<typeof RealtimeSessionRequest>;

export const RealtimeSessionResponse = Type.Object(
  {
    sessionId: Type.String({ description: 'One-time token for the WebSocket.' }),
    conversationId: Uuid(),
    expiresAt: DateTime({ description: 'When the token expires; open the WebSocket before then.' }),
    webSocketPath: Type.String({
      description: 'Relative path with conversationId and sessionId in the query.',
    }),
    supportedInputAudioFormats: Type.Array(Type.String()),
    supportedOutputAudioFormats: Type.Array(Type.String()),
    maxSessionSeconds: Type.Integer(),
    idleTimeoutSeconds: Type.Integer(),
    providerModelName: Type.String(),
    resumeGraceSeconds: Type.Optional(
      Type.Integer({
        description:
          'How long a resumable session waits for its client to reconnect; absent if the session is not resumable.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RealtimeSessionResponse = Static<typeof RealtimeSessionResponse>;

export const RealtimeErrorBody = Type.Object(
  {
    status: Type.Literal(400),
    detail: Type.String(),
    errorCode: Type.String(),
  },
  { additionalProperties: false },
);

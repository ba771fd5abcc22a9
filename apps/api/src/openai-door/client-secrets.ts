import { Type, type Static } from '@sinclair/typebox';
import { findModel, issueSession } from '@parley/issuing';
import {
  audioFormats,
  fromProviderDetection,
  Problem,
  RealtimeSessionRequest,
  toProviderDetection,
  validatorOf,
  type FieldError,
  type TurnDetection,
} from '@parley/protocol';
import { ephemeralKey } from '@parley/session-store';
import { invalid } from './chat-request.js';
import type { DoorCall, DoorPorts } from './door.js';
import { sessionToolsIn } from './function-tools.js';

const loose = Type.Record(Type.String(), Type.Unknown());
const Format = Type.Optional(Type.Object({ type: Type.String() }));

/**
 * The fields that are used; any other session field is ignored here, and the client may set it once
 * it is connected.
 */
const ClientSecretRequest = Type.Object({
  expires_after: Type.Optional(
    Type.Object({ seconds: Type.Optional(Type.Integer({ minimum: 1 })) }),
  ),
  session: Type.Object({
    type: Type.Optional(Type.Literal('realtime')),
    model: Type.String(),
    instructions: Type.Optional(Type.String()),
    tools: Type.Optional(Type.Array(loose)),
    output_modalities: Type.Optional(Type.Array(Type.String())),
    audio: Type.Optional(
      Type.Object({
        input: Type.Optional(
          Type.Object({ format: Format, turn_detection: Type.Optional(Type.Unknown()) }),
        ),
        output: Type.Optional(Type.Object({ format: Format, voice: Type.Optional(Type.String()) })),
      }),
    ),
  }),
});
type ClientSecretRequest = Static<typeof ClientSecretRequest>;

const validate = validatorOf(ClientSecretRequest);
const validateSession = validatorOf(RealtimeSessionRequest);

export type WantedSession = {
  readonly model: string;
  readonly ttlSeconds: number | undefined;
  readonly session: RealtimeSessionRequest;
};

/**
 * Converts a request for a client secret to one for a session. Throws errors that a caller can
 * read.
 */
export function readClientSecret(body: unknown): WantedSession {
  const checked = validate(body ?? {});
  if (!checked.ok) throw invalid(checked.errors);
  const { expires_after, session: sent } = checked.value;
  const errors: FieldError[] = [];
  const { input, output } = sent.audio ?? {};
  const wanted = {
    additionalInstructions: sent.instructions ?? null,
    clientTools: sessionToolsIn(sent.tools ?? [], errors),
    ...(output?.voice !== undefined && { voice: output.voice }),
    ...(sent.output_modalities && { outputModalities: modalitiesOf(sent.output_modalities) }),
    ...(input?.turn_detection !== undefined && detectionIn(input.turn_detection, errors)),
    ...(input?.format && { inputAudioFormat: formatOf(input.format) }),
    ...(output?.format && { outputAudioFormat: formatOf(output.format) }),
  };
  const session = validateSession(wanted);
  if (!session.ok) errors.push(...session.errors.map(asSent));
  if (!session.ok || errors.length > 0) throw invalid(errors);
  return { model: sent.model, ttlSeconds: expires_after?.seconds, session: session.value };
}

export async function createClientSecret(
  ports: DoorPorts,
  { caller, body, response }: DoorCall,
): Promise<void> {
  const { model, ttlSeconds, session } = readClientSecret(body);
  const { database, logger, metrics } = ports;
  const { organizationId, id: keyId } = caller;
  const traceparent = response.locals['traceparent'] as string | undefined;
  const { agent, issued } = await database.inOrganization(organizationId, async (scope) => {
    const found = await findModel(scope, model);
    const work = { scope, caller, ports, agent: found, traceparent, ttlSeconds };
    return { agent: found, issued: await issueSession(work, session).catch(inPlace) };
  });
  metrics.issued();
  const { conversationId } = issued;
  logger.info({ organizationId, agentId: agent.id, conversationId, keyId }, 'session issued');
  const expiresAt = Math.floor(Date.parse(issued.expiresAt) / 1000);
  response.json({
    value: ephemeralKey(issued.sessionId),
    expires_at: expiresAt,
    session: {
      type: 'realtime',
      object: 'realtime.session',
      id: `sess_${conversationId.replaceAll('-', '')}`,
      model: agent.id,
      conversationId,
      instructions: session.additionalInstructions ?? '',
      output_modalities: session.outputModalities ?? agent.outputModalities,
      audio: {
        input: {
          turn_detection: toProviderDetection(session.turnDetection ?? agent.turnDetection),
        },
        output: { voice: session.voice ?? agent.voice },
      },
      tools: (session.clientTools ?? []).map((tool) => ({ type: 'function', ...tool })),
      expires_at: expiresAt,
    },
  });
}

/** The name of the format for creating a session; an unknown one is refused there. */
function formatOf({ type }: { type: string }): string {
  const known = Object.entries(audioFormats).find(([, format]) => format.type === type);
  return known?.[0] ?? type;
}

/** Audio includes a transcript: asking for both means the same. */
function modalitiesOf(sent: readonly string[]): readonly string[] {
  return sent.length === 2 && sent.includes('audio') && sent.includes('text') ? ['audio'] : sent;
}

function detectionIn(sent: unknown, errors: FieldError[]): { turnDetection?: TurnDetection } {
  const turnDetection = fromProviderDetection(sent);
  if (turnDetection) return { turnDetection };
  const path = '/session/audio/input/turn_detection';
  errors.push({ path, message: 'is not supported' });
  return {};
}

/** Maps errors of issuing to the fields that the caller sent. */
function inPlace(error: unknown): never {
  if (error instanceof Problem && error.code === 'body-invalid')
    throw invalid(error.errors.map(asSent));
  throw error;
}

/** The field that the caller sent, for one that a session cannot be created with. */
function asSent({ path, message }: FieldError): FieldError {
  const [, field = '', ...rest] = path.split('/');
  const place = new Map([
    ['additionalInstructions', '/session/instructions'],
    ['clientTools', '/session/tools'],
    ['voice', '/session/audio/output/voice'],
    ['outputModalities', '/session/output_modalities'],
    ['inputAudioFormat', '/session/audio/input/format/type'],
    ['outputAudioFormat', '/session/audio/output/format/type'],
  ]).get(field);
  return { path: [place ?? `/session/${field}`, ...rest].join('/'), message };
}

import { audioFormats, toProviderDetection, type JsonObject } from '@parley/protocol';
import { ownId } from './own-ids.js';
import type { SessionState, ToolDeclaration } from './session.js';

/** The agent's settings in the provider's format, sent before anything from the client. */
export function sessionUpdate(state: SessionState): string {
  return JSON.stringify({
    type: 'session.update',
    event_id: ownId(state.settings.codeFor, 'session', 1),
    session: nested(sessionFields(state)),
  });
}

/** The provider's session as it should be now: its fields by path, such as `audio.output.voice`. */
export function sessionFields(state: SessionState): ReadonlyMap<string, unknown> {
  const { settings, overrides } = state;
  const { instructions, additionalInstructions, backendTools = [] } = settings;
  return new Map<string, unknown>([
    ['type', 'realtime'],
    ['model', settings.model],
    ['output_modalities', settings.outputModalities],
    ['instructions', [instructions, additionalInstructions].filter(Boolean).join('\n\n')],
    ['audio.input.format', audioFormats[settings.inputAudioFormat]],
    ['audio.input.transcription', { model: settings.transcriptionModel }],
    ['audio.input.turn_detection', toProviderDetection(settings.turnDetection)],
    ['audio.output.format', audioFormats[settings.outputAudioFormat]],
    ['audio.output.voice', settings.voice],
    ['tools', [...backendTools, ...clientTools(state)].map(declaration)],
    ['tool_choice', 'auto'],
    ...overrides.fields,
  ]);
}

/**
 * The tools that the session was created with, unless the client redeclared them, and the client's
 * own.
 */
export function clientTools({ settings, overrides }: SessionState): readonly ToolDeclaration[] {
  const own = new Set(overrides.tools.map(({ name }) => name));
  return [...settings.clientTools.filter(({ name }) => !own.has(name)), ...overrides.tools];
}

/** Copies field by field: the provider refuses a declaration with any other key. */
export function declaration({ name, description, parameters }: ToolDeclaration): object {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters ?? { type: 'object', properties: {} },
  };
}

/**
 * Nests the fields: those for one direction of the audio go into `audio.input` and `audio.output`,
 * the others into the session itself.
 */
export function nested(fields: ReadonlyMap<string, unknown>): JsonObject {
  const below = (prefix: string) => {
    const found = [...fields].filter(([path]) => path.startsWith(prefix));
    return Object.fromEntries(found.map(([path, value]) => [path.slice(prefix.length), value]));
  };
  const sides = { input: below('audio.input.'), output: below('audio.output.') };
  const audio = Object.entries(sides).filter(([, side]) => Object.keys(side).length > 0);
  const flat = [...fields].filter(([path]) => !path.startsWith('audio.'));
  return {
    ...Object.fromEntries(flat),
    ...(audio.length > 0 && { audio: Object.fromEntries(audio) }),
  };
}

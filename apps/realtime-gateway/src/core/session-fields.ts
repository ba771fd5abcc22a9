import { audioFormats, fromProviderDetection, isAudioFormat, isObject } from '@parley/protocol';
import { sameJson, sessionValues, toProviderDetection } from '@parley/protocol';
import type { SessionState } from './session.js';

/** A field of the provider's session that a client may request. */
export type FieldRule = {
  /** Its name in the provider's former, flat session, which SDKs still send. */
  readonly formerly?: string;
  /**
   * The value in the provider's format; undefined if the provider would refuse it. Fields without
   * this belong to the agent or the deployment.
   */
  readonly take?: (value: unknown, state: SessionState) => unknown;
  /** null is a value of its own. For other fields, it means absent. */
  readonly nullable?: true;
  /** Whether the provider refuses changes from now on, or at the moment. */
  readonly settled?: (state: SessionState) => boolean;
  /** Whether the value equals the current one, for values that cannot simply be compared. */
  readonly same?: (value: unknown, current: unknown, state: SessionState) => boolean;
};

/**
 * What a client's session.update may change while the service owns the agent (`merge`). Fields
 * without a row are not taken; merge-tools.ts checks the tools one by one.
 */
export const fieldRules = {
  type: {},
  model: {
    same: (value, current, { settings }) => value === settings.agentId || value === current,
  },
  instructions: {},
  prompt: {},
  tools: {},
  tool_choice: {},
  output_modalities: { formerly: 'modalities', take: takeModalities },
  max_output_tokens: {
    formerly: 'max_response_output_tokens',
    take: valid(sessionValues.maxOutputTokens),
  },
  tracing: {
    take: orNull(valid(sessionValues.tracing)),
    nullable: true,
    settled: ({ overrides }) => (overrides.fields.get('tracing') ?? null) !== null,
  },
  'audio.input.format': { formerly: 'input_audio_format', same: isFormat },
  'audio.input.transcription': {
    formerly: 'input_audio_transcription',
    take(value, { settings }) {
      const asked = valid(sessionValues.transcription)(withoutNulls(value));
      return asked && { model: settings.transcriptionModel, ...asked };
    },
  },
  'audio.input.noise_reduction': {
    formerly: 'input_audio_noise_reduction',
    take: orNull(valid(sessionValues.noiseReduction)),
    nullable: true,
  },
  'audio.input.turn_detection': {
    formerly: 'turn_detection',
    take(value) {
      const detection = fromProviderDetection(value);
      return detection && toProviderDetection(detection);
    },
    nullable: true,
  },
  'audio.output.format': { formerly: 'output_audio_format', same: isFormat },
  'audio.output.voice': {
    formerly: 'voice',
    take: valid(sessionValues.voice),
    settled: ({ spoken }) => spoken,
  },
  'audio.output.speed': {
    formerly: 'speed',
    take: valid(sessionValues.speed),
    settled: ({ turn }) => turn.active.size > 0,
  },
} as const satisfies Record<string, FieldRule>;

type Rule = readonly [path: string, rule: FieldRule];
const rules: readonly Rule[] = Object.entries(fieldRules);
const byName: ReadonlyMap<string, Rule> = new Map(
  rules.flatMap((row): [string, Rule][] => {
    const { formerly } = row[1];
    return [[row[0], row], ...(formerly === undefined ? [] : [[formerly, row] as [string, Rule]])];
  }),
);

/** The row of a field, by its current or its former name. */
export function ruleOf(name: string): Rule | undefined {
  return byName.get(name);
}

type Check<Value> = (data: unknown) => { ok: true; value: Value } | { ok: false };

function valid<Value>(check: Check<Value>): (value: unknown) => Value | undefined {
  return (value) => {
    const checked = check(value);
    return checked.ok ? checked.value : undefined;
  };
}

function orNull(take: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => (value === null ? null : take(value));
}

/** Text and audio used to be one choice; today, audio includes its transcript. */
function takeModalities(value: unknown): unknown {
  const both = Array.isArray(value) && value.length === 2 && value.includes('text');
  return valid(sessionValues.outputModalities)(both && value.includes('audio') ? ['audio'] : value);
}

function isFormat(value: unknown, current: unknown): boolean {
  const named = typeof value === 'string' && isAudioFormat(value) ? audioFormats[value] : value;
  return isObject(named) && sameJson({ ...asObject(current), ...named }, current);
}

function asObject(value: unknown): object {
  return isObject(value) ? value : {};
}

function withoutNulls(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

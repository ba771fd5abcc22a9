// What one response will do, decided before it starts: the parts in order. The brain and the
// directives both end in a plan; the realtime script and chat completions both play one.
import { numberIn, type Directive } from './directives.js';

export type PlanPart =
  | { type: 'say'; text: string }
  | { type: 'call'; name: string; arguments: string }
  | { type: 'wait'; ms: number }
  | { type: 'noise'; bytes: number; inOneDelta: boolean }
  | { type: 'fail'; code: string }
  | { type: 'incomplete'; reason: 'max_output_tokens' | 'content_filter' }
  | { type: 'error'; code: string }
  | { type: 'raw'; text: string }
  | { type: 'binary'; bytes: number }
  | Disconnect;

export type Disconnect = {
  type: 'disconnect';
  how: 'expire' | 'close' | 'drop' | 'hang' | 'away';
  code: number;
  /** How long others are refused. */
  ms: number;
  /** Happens once under this id; every time if it is empty. */
  id: string;
};

export type Plan = readonly PlanPart[];

/** How the transcription of the same turn behaves. */
export type TranscriptionPlan = { extraDelayMs: number; failWith?: string };

export const planOf = (found: readonly Directive[]): Plan => found.flatMap(partsOf);

function partsOf(directive: Directive): PlanPart[] {
  const { name, argument } = directive;
  switch (name) {
    case 'say':
      return [{ type: 'say', text: argument }];
    case 'call':
      return [callOf(argument)];
    case 'delay':
      return [{ type: 'wait', ms: numberIn(directive, 0) }];
    case 'burst':
    case 'oversize':
      return [
        { type: 'noise', bytes: numberIn(directive, 48_000), inOneDelta: name === 'oversize' },
      ];
    case 'fail':
      return [{ type: 'fail', code: argument || 'server_error' }];
    case 'incomplete':
      return [
        {
          type: 'incomplete',
          reason: argument === 'content_filter' ? 'content_filter' : 'max_output_tokens',
        },
      ];
    case 'error':
      return [{ type: 'error', code: argument || 'server_error' }];
    case 'raw':
      return [{ type: 'raw', text: argument }];
    case 'binary':
      return [{ type: 'binary', bytes: numberIn(directive, 16) }];
    case 'expire':
    case 'drop':
    case 'hang':
      return [{ type: 'disconnect', how: name, code: 1001, ms: 0, id: argument }];
    case 'close':
    case 'away': {
      const number = numberIn(directive, name === 'away' ? 1000 : 1011);
      const [, id = ''] = /^\d+\s+(\S+)/.exec(argument) ?? [];
      return [{ type: 'disconnect', how: name, code: closeCode(number), ms: number, id }];
    }
    case 'late':
    case 'untranscribed':
      return [];
  }
}

function callOf(argument: string): PlanPart {
  const [, name = argument, rest = ''] = /^(\S+)(?:\s+(\S[\s\S]*))?/.exec(argument) ?? [];
  return { type: 'call', name, arguments: spacedJson(rest === '' ? '{}' : rest) };
}

/** The provider's arguments are JSON with arbitrary spacing: nobody may compare them as text. */
export function spacedJson(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)} \n`;
  } catch {
    return text;
  }
}

// Codes that may not be sent in a close frame become 1011.
const closeCode = (code: number): number =>
  (code >= 3000 && code <= 4999) ||
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code))
    ? code
    : 1011;

export function transcriptionPlanOf(found: readonly Directive[]): TranscriptionPlan {
  const late = found.find(({ name }) => name === 'late');
  const failed = found.find(({ name }) => name === 'untranscribed');
  return {
    extraDelayMs: late ? numberIn(late, 1000) : 0,
    ...(failed ? { failWith: failed.argument || 'transcription_failed' } : {}),
  };
}

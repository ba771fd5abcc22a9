import type { AudioFormat, Heard } from '../session/player.js';
import { count, fields, text, type Fields } from './read.js';
import { send, stay, then, type Core, type Line, type Step } from './state.js';
import { blank, changed, cut, lineOf, placed } from './transcript.js';
import { silenced, turned } from './turn.js';

const bytesPerMs: Readonly<Record<AudioFormat, number>> = {
  pcm16: 48,
  g711_ulaw: 8,
  g711_alaw: 8,
};

/** A chunk of the agent's audio. Chunks of an interrupted response are not played. */
export function spoke(core: Core, event: Fields): Step {
  const id = text(event['item_id']);
  const base64 = text(event['delta']);
  const responseId = text(event['response_id']);
  if (id === null || base64 === null) return stay(core);
  if (responseId !== null && core.turn.muted.includes(responseId)) return stay(core);
  const contentIndex = count(event['content_index']);
  const bytes =
    (base64.length * 3) / 4 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
  const ms = bytes / bytesPerMs[core.formats.output];
  const known = placed(core, blank(id, 'assistant'));
  const next = changed(known, id, (line) => ({
    ...line,
    responseId: responseId ?? line.responseId,
    voice: { contentIndex, ms: (line.voice?.ms ?? 0) + ms },
  }));
  return stay(next, { kind: 'play', itemId: id, contentIndex, base64 });
}

/**
 * Interrupts the agent: stops playback, cancels the response unless the provider does so itself,
 * and truncates the conversation to what was heard. Without a player, or if `heard` is null because
 * everything was heard, everything received counts as heard.
 */
export function interrupted(
  core: Core,
  heard: Heard | null | undefined,
  by: 'client' | 'voice',
): Step {
  const { core: quieted, effects: cancels } = silenced(core);
  const { request } = core.turn;
  let step =
    by === 'voice'
      ? stay(turned(quieted, { request: 'none' }), { kind: 'silence' })
      : stay(
          turned(quieted, { request: request === 'sent' ? 'unwanted' : request }),
          { kind: 'silence' },
          ...cancels,
        );
  for (const { line, ms } of unheard(core, heard))
    step = then(step, (next) => truncated(next, line, ms));
  return step;
}

function truncated(core: Core, { message: { id }, voice }: Line, ms: number): Step {
  const audio_end_ms = Math.floor(Math.min(ms > 0 ? ms : 0, voice?.ms ?? 0));
  const content_index = voice?.contentIndex ?? 0;
  const event = { type: 'conversation.item.truncate', item_id: id, content_index, audio_end_ms };
  return then(stay(core, send(event)), (next) => cut(next, id, audio_end_ms));
}

/** The items that were not heard completely, and how much of each was. */
function unheard(core: Core, heard: Heard | null | undefined): { line: Line; ms: number }[] {
  const voices = core.lines.filter((line) => line.voice !== null && !line.message.interrupted);
  if (!heard)
    return voices
      .filter(({ responseId }) => responseId !== null && core.turn.active.includes(responseId))
      .map((line) => ({ line, ms: line.voice?.ms ?? 0 }));
  const first = voices.findIndex(({ message }) => message.id === heard.itemId);
  if (first < 0) return [];
  return voices.slice(first).map((line, nth) => ({ line, ms: nth === 0 ? heard.ms : 0 }));
}

/** conversation.item.truncated, whoever requested it. */
export function truncation(core: Core, event: Fields): Step {
  const id = text(event['item_id']);
  return id !== null && lineOf(core, id) ? cut(core, id, count(event['audio_end_ms'])) : stay(core);
}

/**
 * session.created or session.updated: the session's audio formats, and whether speech interrupts
 * the agent.
 */
export function configured(core: Core, event: Fields): Core {
  const { input, output } = fields(fields(event['session'])['audio']);
  const detection = fields(input)['turn_detection'];
  return {
    ...core,
    formats: { input: formatIn(input), output: formatIn(output) },
    yields: detection !== null && fields(detection)['interrupt_response'] !== false,
    answers: detection !== null && fields(detection)['create_response'] !== false,
  };
}

function formatIn(side: unknown): AudioFormat {
  const { type } = fields(fields(side)['format']);
  if (type === 'audio/pcmu') return 'g711_ulaw';
  return type === 'audio/pcma' ? 'g711_alaw' : 'pcm16';
}

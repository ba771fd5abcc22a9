import { fields, text, type Fields } from './read.js';
import {
  approvalEnds,
  approvalWaits,
  callsLost,
  decideCall,
  serviceCalls,
  serviceDone,
} from './service-calls.js';
import { quiet, send, stay, then, type Core, type Input, type Step } from './state.js';
import { added, answered, blank, cut, ended, placed, transcribed, worded } from './transcript.js';
import {
  callAnswered,
  called,
  doing,
  proceed,
  responseBegan,
  responseEnded,
  turned,
} from './turn.js';
import { configured, interrupted, spoke, truncation } from './voice.js';

type Received = Extract<Input, { kind: 'event' }>;
type Rule = (core: Core, event: Fields, received: Received) => Step;

const speaks: Rule = (core, event) => {
  const step = answered(core, event, false);
  return { ...step, core: doing(step.core, 'speaking') };
};
const spoken: Rule = (core, event) => answered(core, event, true);
const voice: Rule = (core, event) => {
  const step = spoke(core, event);
  return step.effects.length > 0 ? { ...step, core: doing(step.core, 'speaking') } : step;
};
const settled: Rule = (core, event) => stay(configured(core, event));
const said: Rule = (core, event) => transcribed(core, event, true);
const item: Rule = (core, event) =>
  called(core, { ...fields(event['item']), response_id: event['response_id'] });

/**
 * How each type of event changes the state; other types change nothing. Some have an older name,
 * too.
 */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['session.created', settled],
  ['session.updated', settled],
  ['conversation.item.added', added],
  ['conversation.item.created', added],
  ['conversation.item.truncated', truncation],
  [
    'conversation.item.input_audio_transcription.delta',
    (core, event) => transcribed(core, event, false),
  ],
  ['conversation.item.input_audio_transcription.completed', said],
  ['input_audio.transcript.done', said],
  [
    'conversation.item.input_audio_transcription.failed',
    (core, event) => ended(core, text(event['item_id']) ?? ''),
  ],
  ['input_audio_buffer.speech_started', speechStarted],
  ['input_audio_buffer.speech_stopped', (core) => stay(doing(core, 'thinking'))],
  [
    'input_audio_buffer.cleared',
    (core) => stay(doing(turned(core, { userSpeaks: false }), 'idle')),
  ],
  ['input_audio_buffer.committed', committed],
  ['response.created', responseBegan],
  ['response.done', responseEnded],
  ['response.output_item.done', item],
  ['response.function_call_arguments.done', called],
  ['response.output_audio_transcript.delta', speaks],
  ['response.audio_transcript.delta', speaks],
  ['response.output_text.delta', speaks],
  ['response.output_audio_transcript.done', spoken],
  ['response.audio_transcript.done', spoken],
  ['response.output_text.done', spoken],
  ['response.content.done', spoken],
  ['response.output_audio.delta', voice],
  ['response.audio.delta', voice],
  ['response.function_invocation.start', serviceCalls],
  ['response.function_invocation.done', serviceDone],
  ['approval.waiting', (core, event, { now }) => approvalWaits(core, event, now)],
  ['approval.approved', (core, event) => approvalEnds(core, event, 'approved')],
  ['approval.expired', (core, event) => approvalEnds(core, event, 'expired')],
  ['error', failed],
]);

/** Computes the next state and the effects of an input. Pure: the shells carry out the effects. */
export function step(core: Core, input: Input): Step {
  switch (input.kind) {
    case 'connected':
      return stay({ ...core, reconnected: input.again, turn: quiet });
    case 'event':
      return rules.get(input.event.type)?.(core, input.event, input) ?? stay(core);
    case 'lost':
      return lost(core);
    case 'text':
      return typed(core, input);
    case 'send':
      return stay(core, send(input.event));
    case 'commit':
      return then(stay(core, send({ type: 'input_audio_buffer.commit' })), asked);
    case 'interrupt':
      return interrupted(core, input.heard, 'client');
    case 'talking':
      return proceed(turned(core, { held: input.talking }));
    case 'answered':
      return callAnswered(core, input.callId, input);
    case 'decide':
      return decideCall(core, input.callId, input.approve);
  }
}

/** A complete turn as text. Like speech, it interrupts the agent. */
function typed(core: Core, { text: words, heard }: Extract<Input, { kind: 'text' }>): Step {
  const id = `${core.seed}_${core.named + 1}`;
  const speaking = core.turn.active.length > 0 || (heard ?? null) !== null;
  const before = speaking ? interrupted(core, heard, 'client') : stay(core);
  const said = then(before, (next) => {
    const line = placed({ ...next, named: next.named + 1 }, blank(id, 'user'));
    return worded(line, { id, part: 0, words, whole: true, role: 'user' });
  });
  const content = [{ type: 'input_text', text: words }];
  const create = {
    type: 'conversation.item.create',
    item: { id, type: 'message', role: 'user', content },
  };
  return then(
    then(said, (next) => stay(turned(next, { wrote: true }), send(create))),
    asked,
  );
}

function asked(core: Core): Step {
  const change = { owed: true, userSpeaks: false, blocked: false };
  return proceed(doing(turned(core, change), 'thinking'));
}

function speechStarted(core: Core, _event: Fields, { heard }: Received): Step {
  const listens = doing(turned(core, { userSpeaks: true }), 'listening');
  return core.yields ? interrupted(listens, heard, 'voice') : stay(listens);
}

/** Speech gets its place in the transcript before its text is known. */
function committed(core: Core, event: Fields): Step {
  const id = text(event['item_id']);
  const next =
    id === null ? core : placed(core, blank(id, 'user'), { after: event['previous_item_id'] });
  // If a response starts automatically, do not request one until it has started.
  return stay(turned(next, { userSpeaks: core.turn.userSpeaks && core.answers }));
}

function failed(core: Core, event: Fields, { heard }: Received): Step {
  const error = fields(event['error']);
  const code = text(error['code']);
  const message = text(error['message']) ?? 'The service reported an error without a message.';
  const step =
    code === 'conversation_already_has_active_response' ? refused(core, heard) : stay(core);
  return then(step, (next) => stay(next, { kind: 'problem', code, message }));
}

/**
 * A response began before the client's `response.create` arrived, which is sent again when it is
 * over. A text that it does not know interrupts it, as one does that is sent a moment later.
 */
function refused(core: Core, heard: Received['heard']): Step {
  const { active, wrote, request } = core.turn;
  const blocked = active.length === 0;
  // The one in the way is not wanted either, and is cancelled when it is announced.
  if (request === 'unwanted')
    return stay(turned(core, { blocked, request: blocked ? 'unwanted' : 'none' }));
  const next = turned(core, { owed: true, wrote: false, blocked, request: 'none' });
  return wrote && active.length > 0 ? interrupted(next, heard, 'client') : stay(next);
}

/** Messages in progress stay as they are. */
function lost(core: Core): Step {
  let step: Step = callsLost({ ...core, turn: quiet });
  for (const { message } of core.lines)
    if (!message.final)
      step = then(step, (next) =>
        message.role === 'user' ? ended(next, message.id) : cut(next, message.id, null),
      );
  return then(step, (next) => stay(next, { kind: 'silence' }));
}

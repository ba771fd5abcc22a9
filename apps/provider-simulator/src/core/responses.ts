// The responses of one session: at most one in the conversation at a time, and any number beside it
// (`conversation: "none"`). Each plays itself; this file starts them, wakes them and ends them.
import { think } from './brain.js';
import type { ClientEvent } from './client-events.js';
import { readItem } from './client-item.js';
import { referencedItemId } from './item-shape.js';
import type { StoredItem } from './items.js';
import { ResponseRun, type Played } from './response-run.js';
import { scriptOf } from './script.js';
import {
  modalitiesProblem,
  voiceName,
  type FunctionTool,
  type Modality,
  type Session,
  type ToolChoice,
  type Voice,
} from './session-config.js';
import type { Problem } from './shape.js';
import { turnsOf } from './turns.js';
import { countPrompt, type TokenCount } from './usage.js';
import type { AudioFormat } from './audio-format.js';
import type { World } from './world.js';

// The shape has been checked: these are the fields that a `response.create` may have.
type Wish = {
  output_modalities?: Modality[];
  instructions?: string;
  tools?: FunctionTool[];
  tool_choice?: ToolChoice;
  max_output_tokens?: number | 'inf';
  audio?: { output?: { format?: AudioFormat; voice?: Voice } };
  conversation?: 'auto' | 'none';
  metadata?: unknown;
  input?: unknown[];
};

const rateLimit = { name: 'tokens', limit: 800_000, reset_seconds: 0.01 };

export class Responses {
  readonly #world: World;
  readonly #onDone: (run: ResponseRun) => void;
  readonly #runs = new Map<string, ResponseRun>();
  #lastPrompt: TokenCount = { text: 0, audio: 0 };

  /** `onDone` is called when a response of the conversation has ended. */
  constructor(world: World, onDone: (run: ResponseRun) => void) {
    this.#world = world;
    this.#onDone = onDone;
  }

  get active(): ResponseRun | undefined {
    return [...this.#runs.values()].find((run) => run.conversation);
  }

  create(wish: Wish, eventId: string | null): void {
    const { out, conversation } = this.#world;
    const active = this.active;
    if (active && wish.conversation !== 'none') {
      out.refuse({
        code: 'conversation_already_has_active_response',
        message: `Conversation already has an active response in progress: ${active.id}. Wait until the response is finished before creating a new one.`,
        param: null,
        eventId,
      });
      return;
    }
    const problem = modalitiesProblem(wish.output_modalities, 'response.output_modalities');
    if (problem) {
      out.refuse({ ...problem, eventId });
      return;
    }
    const input = wish.input ? this.#readInput(wish.input) : { items: conversation.items };
    if ('problem' in input) {
      out.refuse({ ...input.problem, eventId });
      return;
    }
    this.#start(this.#prepare(wish, input.items));
  }

  createFromEvent({ body, eventId }: ClientEvent): void {
    this.create(body['response'] ?? {}, eventId);
  }

  cancelFromEvent({ body, eventId }: ClientEvent): void {
    const id = body['response_id'];
    const run = typeof id === 'string' ? this.#runs.get(id) : this.active;
    if (run) {
      this.cancel(run, 'client_cancelled');
      return;
    }
    this.#world.out.refuse({
      code: 'response_cancel_not_active',
      message: 'Cancellation failed: no active response found',
      param: null,
      eventId,
    });
  }

  cancel(run: ResponseRun, reason: 'turn_detected' | 'client_cancelled'): void {
    this.#world.out.add({ type: 'cancel-timer', key: timerKey(run) });
    run.cancel(reason);
    this.#end(run);
  }

  /** A pause of a response is over. */
  wake(responseId: string): void {
    const run = this.#runs.get(responseId);
    if (run) this.#continue(run, run.play());
  }

  #prepare(wish: Wish, items: readonly StoredItem[]): ResponseRun {
    const { session, options, ids, out, conversation, conversationId } = this.#world;
    const effective = effectiveSession(session, wish);
    const { format, voice, speed } = effective.audio.output;
    const prompt = { instructions: effective.instructions, tools: effective.tools, items };
    const inConversation = wish.conversation !== 'none';
    const plan = think({
      turns: turnsOf(items),
      tools: effective.tools,
      toolChoice: effective.tool_choice,
      ...(wish.instructions === undefined ? {} : { instructions: wish.instructions }),
    });
    const beats = scriptOf(plan, {
      modality: effective.output_modalities[0] ?? 'audio',
      format,
      maxOutputTokens: effective.max_output_tokens,
      pacing: options.pacing,
      speak: (text) => options.speak({ text, format, voice, speed }),
    });
    const run = new ResponseRun(
      {
        response: {
          object: 'realtime.response',
          conversation_id: inConversation ? conversationId : null,
          output_modalities: effective.output_modalities,
          max_output_tokens: effective.max_output_tokens,
          audio: { output: { format, voice } },
          metadata: wish.metadata ?? null,
        },
        beats,
        promptTokens: countPrompt(prompt),
        cachedTokens: this.#lastPrompt,
        ...(inConversation ? { conversation } : {}),
        azure: options.azure,
      },
      ids,
      out,
    );
    if (inConversation) this.#lastPrompt = run.promptTokens;
    return run;
  }

  #start(run: ResponseRun): void {
    this.#runs.set(run.id, run);
    run.start();
    this.#continue(run, run.play());
  }

  #continue(run: ResponseRun, played: Played): void {
    const { out } = this.#world;
    if (run.audioMs > 0) this.#world.audioSent = true;
    if (played.next === 'wait') {
      out.add({ type: 'timer', key: timerKey(run), ms: played.ms });
      return;
    }
    if (played.next === 'done') {
      this.#end(run);
      return;
    }
    const { how, code, ms, id } = played.disconnect;
    const { isFirst = () => true } = this.#world.options;
    if (id !== '' && !isFirst(`${how} ${id}`)) {
      this.#continue(run, run.play());
      return;
    }
    switch (how) {
      case 'expire':
        expire(this.#world);
        break;
      case 'close':
        out.add({ type: 'close', code, reason: 'server_error.simulated_close' });
        break;
      case 'drop':
        out.add({ type: 'drop' });
        break;
      case 'hang':
        this.#world.hung = true;
        out.add({ type: 'hang' });
        break;
      case 'away':
        out.add({ type: 'away', ms });
    }
  }

  #end(run: ResponseRun): void {
    this.#runs.delete(run.id);
    const { text, audio } = run.promptTokens;
    this.#world.out.send('rate_limits.updated', {
      rate_limits: [{ ...rateLimit, remaining: Math.max(0, rateLimit.limit - text - audio) }],
    });
    if (run.conversation) this.#onDone(run);
  }

  #readInput(input: readonly unknown[]): { items: StoredItem[] } | { problem: Problem } {
    const items: StoredItem[] = [];
    for (const [i, value] of input.entries()) {
      const path = `response.input[${i}]`;
      const id = referencedItemId(value);
      const found = id === undefined ? undefined : this.#world.conversation.find(id);
      const read =
        id === undefined
          ? readItem(this.#world, value, path)
          : found
            ? { ok: true as const, stored: found }
            : { ok: false as const, problem: unknownItem(id, `${path}.id`) };
      if (!read.ok) return { problem: read.problem };
      items.push(read.stored);
    }
    return { items };
  }
}

const unknownItem = (id: string, param: string): Problem => ({
  code: 'invalid_value',
  message: `Item with ID '${id}' not found.`,
  param,
});

const timerKey = (run: ResponseRun): string => `response:${run.id}`;

function effectiveSession(session: Session, wish: Wish): Session {
  const { output_modalities, instructions, tools, tool_choice, max_output_tokens, audio } = wish;
  const output = { ...session.audio.output, ...audio?.output };
  return {
    ...session,
    ...(output_modalities && { output_modalities }),
    ...(instructions !== undefined && { instructions }),
    ...(tools && { tools }),
    ...(tool_choice !== undefined && { tool_choice }),
    ...(max_output_tokens !== undefined && { max_output_tokens }),
    audio: { ...session.audio, output: { ...output, voice: voiceName(output.voice) } },
  };
}

/** The provider's way of ending a session that became too old. */
export function expire({ out }: World): void {
  const message = 'Your session hit the maximum duration of 60 minutes.';
  out.send('error', {
    error: {
      type: 'invalid_request_error',
      code: 'session_expired',
      message,
      param: null,
      event_id: null,
    },
  });
  out.add({ type: 'close', code: 1001, reason: message });
}

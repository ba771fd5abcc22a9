import { approvers, type Approver } from '@parley/protocol';
import { Dialogue } from './dialogue.js';

/** A dialogue in the provider's words: responses, calls and outputs, one line each. */
export class Conversation extends Dialogue {
  begin(id = 'r', more: object = {}): this {
    return this.provider('response.created', { response: { id, status: 'in_progress', ...more } });
  }

  announce(callId: string, name: string, response_id = 'r'): this {
    const item = { id: `item_${callId}`, type: 'function_call', call_id: callId, name };
    this.provider('response.output_item.added', { response_id, item: { ...item, arguments: '' } });
    return this.provider('conversation.item.added', { item: { ...item, arguments: '' } });
  }

  arguments(callId: string, name: string, more: object = {}): this {
    const fields = { response_id: 'r', item_id: `item_${callId}`, call_id: callId, name };
    const event = { ...fields, arguments: '{ "q": 1 }', ...more };
    return this.provider('response.function_call_arguments.done', event);
  }

  itemDone(callId: string, name: string, more: object = {}): this {
    const item = { id: `item_${callId}`, type: 'function_call', call_id: callId, name };
    return this.provider('response.output_item.done', {
      response_id: 'r',
      item: { ...item, arguments: '{}', status: 'completed', ...more },
    });
  }

  call(callId: string, name: string, response_id = 'r'): this {
    return this.announce(callId, name, response_id).arguments(callId, name, { response_id });
  }

  end(id = 'r', status = 'completed', output: object[] = []): this {
    return this.provider('response.done', { response: { id, status, output } });
  }

  finish(callId: string, output = 'result'): this {
    return this.happens({ kind: 'call.finished', callId, output });
  }

  answer(callId: string): this {
    return this.client({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: callId, output: 'mine' },
    });
  }

  /** The user begins to speak, and has spoken. */
  speak(): this {
    return this.provider('input_audio_buffer.speech_started', { item_id: 'u' });
  }

  stop(): this {
    return this.provider('input_audio_buffer.committed', { item_id: 'u', previous_item_id: null });
  }

  /** The provider has put the output of a call into the conversation. */
  taken(callId: string): this {
    const output = this.sent.findLast(({ item }) => item?.call_id === callId)?.item;
    return this.provider('conversation.item.added', { item: output });
  }

  create(): this {
    return this.client({ type: 'response.create', event_id: 'theirs' });
  }

  /** The client is asked to decide. */
  ask(asked: { id: string; callId: string; approvers?: Approver[] }): this {
    const event = JSON.stringify({ type: 'approval.waiting', callId: asked.callId });
    return this.happens({
      kind: 'call.told',
      event,
      asked: { approvers: [...approvers], ...asked },
    });
  }

  get started(): string[] {
    return this.of('start_call').map(({ call }) => `${call.name} ${call.callId}`);
  }

  /** What went to the provider, in a word each. */
  get told(): string[] {
    return this.sent.map(({ type, item, event_id: id }) =>
      type === 'response.create'
        ? id === 'theirs'
          ? 'their create'
          : 'create'
        : `${item?.call_id ?? ''}: ${item?.output ?? ''}`,
    );
  }

  get refusals(): string[] {
    return this.of('refuse').map(({ code }) => code);
  }
}

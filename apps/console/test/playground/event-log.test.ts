import { expect } from 'chai';
import {
  emptyLog,
  filtered,
  jsonLines,
  logged,
  maxEntries,
  type EventLog,
} from '#src/pages/playground/event-log.js';

type Event = { readonly type: string; readonly [field: string]: unknown };
const received = (event: Event) => ({ sent: false, event });
const sent = (event: Event) => ({ sent: true, event });
const append = sent({ type: 'input_audio_buffer.append', audio: 'AAAA' });
const delta = (item_id: string) =>
  received({ type: 'response.output_audio.delta', item_id, delta: 'AAAAAA==' });

const logOf = (...events: { sent: boolean; event: Event }[]): EventLog =>
  events.reduce((log, event, nth) => logged(log, event, 1_000 + nth), emptyLog);

describe('the log of a session’s events', () => {
  it('folds sound that comes one after the other, of each side by itself', () => {
    const { entries } = logOf(append, delta('a'), append, delta('a'), delta('b'), append);
    expect(
      entries.map(({ type, count, audioBytes, at, until }) => [type, count, audioBytes, at, until]),
    ).to.deep.equal([
      ['input_audio_buffer.append', 3, 9, 1_000, 1_005],
      ['response.output_audio.delta', 2, 8, 1_001, 1_003],
      ['response.output_audio.delta', 1, 4, 1_004, 1_004],
    ]);
  });

  it('begins anew after any other event, and keeps no sound', () => {
    const { entries } = logOf(append, sent({ type: 'input_audio_buffer.commit' }), append);
    expect(entries.map(({ type }) => type)).to.deep.equal([
      'input_audio_buffer.append',
      'input_audio_buffer.commit',
      'input_audio_buffer.append',
    ]);
    expect(JSON.stringify(entries)).not.to.include('AAAA');
  });

  it('forgets the oldest when there are too many, and counts them all', () => {
    const log = logOf(
      ...Array.from({ length: maxEntries + 5 }, (_, nth) => received({ type: `event ${nth}` })),
    );
    expect([log.entries.length, log.total, log.entries[0]?.type]).to.deep.equal([
      maxEntries,
      maxEntries + 5,
      'event 5',
    ]);
    expect(new Set(log.entries.map(({ seq }) => seq)).size).to.equal(maxEntries);
  });

  it('clips texts that are very long', () => {
    const { entries } = logOf(
      received({ type: 'x', session: { instructions: 'i'.repeat(9_000) } }),
    );
    const { instructions } = entries[0]!.event['session'] as { instructions: string };
    expect(instructions).to.match(/^i{8000}… \(1000 characters omitted\)$/);
  });

  it('shows one direction, Parley’s own events, or those that contain a word', () => {
    const { entries } = logOf(
      sent({ type: 'response.create' }),
      sent({ type: 'approval.approve', callId: 'c1' }),
      received({ type: 'approval.approved', data: { callId: 'c1' } }),
      received({ type: 'response.created', response: { id: 'Resp_1' } }),
    );
    const types = (show: 'all' | 'sent' | 'received' | 'custom', text = '') =>
      filtered(entries, { show, text }).map(({ type }) => type);
    expect(types('sent')).to.deep.equal(['response.create', 'approval.approve']);
    expect(types('custom')).to.deep.equal(['approval.approve', 'approval.approved']);
    expect(types('all', ' resp_1')).to.deep.equal(['response.created']);
    expect(types('received', 'C1')).to.deep.equal(['approval.approved']);
    expect(types('all')).to.have.length(4);
  });

  it('is exported as a JSON object per line', () => {
    const { entries } = logOf(
      append,
      append,
      received({ type: 'error', error: { message: 'a\nb' } }),
    );
    const lines = jsonLines(entries).split('\n');
    expect(lines.pop()).to.equal('');
    expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal([
      {
        at: '1970-01-01T00:00:01.000Z',
        direction: 'sent',
        count: 2,
        until: '1970-01-01T00:00:01.001Z',
        audioBytes: 6,
        event: { type: 'input_audio_buffer.append', audio: '(audio omitted)' },
      },
      {
        at: '1970-01-01T00:00:01.002Z',
        direction: 'received',
        event: { type: 'error', error: { message: 'a\nb' } },
      },
    ]);
  });
});

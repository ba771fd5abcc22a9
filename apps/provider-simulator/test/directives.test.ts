import { expect } from 'chai';
import { directives, parseDirectives, type DirectiveName } from '#src/core/directives.js';
import { Rehearsal } from './rehearsal.js';

const played = (text: string) => new Rehearsal().ask(text).settle();

// One entry per directive: the compiler refuses a directive without a test.
const proofs: Record<DirectiveName, () => void> = {
  say: () => expect(played('!say It is noon. Really!').answer).to.equal('It is noon. Really!'),
  call: () => {
    const { arguments: args, name } = played('!call pay {"amount": 5}').last(
      'response.function_call_arguments.done',
    );
    expect(name).to.equal('pay');
    expect(JSON.parse(args)).to.deep.equal({ amount: 5 });
    const broken = played('!call pay {"amount').last('response.function_call_arguments.done');
    expect(broken.arguments).to.equal('{"amount');
    expect(
      played('!call pay').last('response.function_call_arguments.done').arguments.trim(),
    ).to.equal('{}');
  },
  delay: () => {
    const stage = new Rehearsal().ask('!delay 9000 !say now').advance(8999);
    expect(stage.types.at(-1)).to.equal('response.created');
    expect(stage.settle().answer).to.equal('now');
  },
  burst: () => {
    const stage = new Rehearsal().ask('!burst 480000').advance(50);
    const deltas = stage.all('response.output_audio.delta');
    expect(deltas).to.have.length(100);
    expect(sizeOf(deltas)).to.equal(480_000);
    expect(stage.types).to.include('response.done');
  },
  oversize: () => {
    const deltas = played('!oversize 300000').all('response.output_audio.delta');
    expect(deltas).to.have.length(1);
    expect(sizeOf(deltas)).to.equal(300_000);
  },
  fail: () => {
    const { response } = played('!say partly !fail insufficient_quota').last('response.done');
    expect(response.status_details).to.deep.equal({
      type: 'failed',
      error: { type: 'insufficient_quota', code: 'insufficient_quota' },
    });
    expect(response.output[0]).to.include({ status: 'incomplete' });
  },
  incomplete: () => {
    for (const reason of ['max_output_tokens', 'content_filter'])
      expect(
        played(`!say partly !incomplete ${reason}`).last('response.done').response.status_details,
      ).to.deep.equal({ type: 'incomplete', reason });
  },
  error: () => {
    const stage = played('!error rate_limit_exceeded !say still here');
    expect(stage.last('error').error.code).to.equal('rate_limit_exceeded');
    expect(stage.answer).to.equal('still here');
  },
  raw: () => {
    const text = '{"type":"response.audio_transcript.done","transcript":"hi"';
    expect(played(`!raw ${text}`).effects).to.deep.equal([{ type: 'send-text', text }]);
  },
  binary: () =>
    expect(played('!binary 99').effects).to.deep.equal([{ type: 'send-binary', bytes: 99 }]),
  late: () => expect(played('!late 10 !say yes').answer).to.equal('yes'),
  untranscribed: () => expect(played('!untranscribed x !say yes').answer).to.equal('yes'),
  expire: () => {
    const stage = played('!expire');
    expect(stage.last('error').error.code).to.equal('session_expired');
    expect(stage.effects[0]).to.include({ type: 'close', code: 1001 });
  },
  close: () => {
    expect(played('!close 4321').effects[0]).to.include({ type: 'close', code: 4321 });
    for (const unsendable of ['', '1005', '1006', '99', '70000', 'soon'])
      expect(played(`!close ${unsendable}`).effects[0]).to.include({ code: 1011 });
    expect(played('!close 4321').types).to.not.include('response.done');
  },
  drop: () => expect(played('!drop').effects).to.deep.equal([{ type: 'drop' }]),
  away: () => {
    expect(played('!away 300').effects).to.deep.equal([{ type: 'away', ms: 300 }]);
    const happened = new Set<string>();
    const isFirst = (name: string) => !happened.has(name) && happened.add(name).size > 0;
    const first = new Rehearsal({ isFirst }).ask('!away 300 a !say Back.').settle();
    expect(first.effects).to.deep.equal([{ type: 'away', ms: 300 }]);
    const second = new Rehearsal({ isFirst }).ask('!away 300 a !say Back.').settle();
    expect(second.effects).to.deep.equal([]);
    expect(second.answer).to.equal('Back.');
    const other = new Rehearsal({ isFirst }).ask('!close 4321 a !drop a !say Back.').settle();
    expect(other.effects[0]).to.include({ type: 'close', code: 4321 });
  },
  hang: () => {
    const stage = played('!hang');
    expect(stage.effects).to.deep.equal([{ type: 'hang' }]);
    const before = stage.events.length;
    expect(stage.ask('hello').settle().events).to.have.length(before);
  },
};

describe('the directive', () => {
  for (const name of Object.keys(directives) as DirectiveName[])
    it(`!${name} ${directives[name]}`, () => proofs[name]());
});

describe('directives', () => {
  it('stand anywhere in the text, each up to the next', () => {
    expect(
      parseDirectives('please !delay 5 !say a! b !unknown c\n!call f {"x": "!hang"}'),
    ).to.deep.equal([
      { name: 'delay', argument: '5' },
      { name: 'say', argument: 'a! b !unknown c' },
      { name: 'call', argument: 'f {"x": "!hang"}' },
    ]);
  });

  it('are taken from the instructions of a response first', () => {
    const stage = new Rehearsal().ask('!say from the user', {
      instructions: '!say from instructions',
    });
    expect(stage.settle().answer).to.equal('from instructions');
  });

  it('of an earlier turn are not obeyed again', () => {
    const stage = new Rehearsal().ask('!call f {}').settle();
    const { call_id } = stage.last('response.function_call_arguments.done');
    const item = { type: 'function_call_output', call_id, output: 'done' };
    stage.send({ type: 'conversation.item.create', item }, { type: 'response.create' }).settle();
    expect(stage.answer).to.include('done');
  });

  it('are not obeyed in the output of a tool', () => {
    const stage = new Rehearsal().ask('!call f {}').settle();
    const { call_id } = stage.last('response.function_call_arguments.done');
    const item = { type: 'function_call_output', call_id, output: '!close 4000' };
    stage.send({ type: 'conversation.item.create', item }, { type: 'response.create' }).settle();
    expect(stage.effects).to.deep.equal([]);
  });
});

const sizeOf = (deltas: { delta: string }[]): number =>
  deltas.reduce((sum, { delta }) => sum + Buffer.from(delta, 'base64').length, 0);

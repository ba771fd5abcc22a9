import { expect } from 'chai';
import { closeCodes } from '@parley/protocol';
import { openSession, type Effect, type Input } from '#src/core/session.js';
import { step } from '#src/core/step.js';
import { configuring, greeting, greetingUnlisted, running, settings, text } from './settings.js';

const endings: [input: Input, name: string, message: RegExp][] = [
  [{ kind: 'client.oversized' }, 'MessageTooBig', /size/],
  [{ kind: 'revoke.requested' }, 'SessionRevoked', /API/],
  [{ kind: 'client.stalled' }, 'SlowConsumer', /slowly/],
  [{ kind: 'provider.oversized' }, 'MessageTooBig', /provider/],
  [{ kind: 'provider.stalled' }, 'ProviderUnavailable', /stopped reading/],
  [{ kind: 'provider.silent' }, 'ProviderUnavailable', /stopped answering/],
  [{ kind: 'provider.refused', reason: 'HTTP 403' }, 'ProviderUnavailable', /: HTTP 403$/],
  [{ kind: 'provider.refused', reason: '' }, 'ProviderUnavailable', /no reason$/],
  [
    { kind: 'provider.closed', code: 1001, reason: 'max duration' },
    'ProviderUnavailable',
    /code 1001: max duration$/,
  ],
  [{ kind: 'provider.closed', code: 1005, reason: '' }, 'ProviderUnavailable', /code 1005\.$/],
  [{ kind: 'timer.fired', timer: 'ready' }, 'ProviderConnectTimeout', /ready/],
  [{ kind: 'timer.fired', timer: 'idle' }, 'IdleTimeout', /No data/],
  [{ kind: 'timer.fired', timer: 'end' }, 'MaxSessionDuration', /maximum duration/],
  [{ kind: 'timer.fired', timer: 'quota' }, 'QuotaReached', /tokens for today/],
  [{ kind: 'drain.requested' }, 'ServiceRestart', /shutting down/],
];

describe('the end of a session', () => {
  for (const [input, name, message] of endings)
    it(`is ${name} after ${JSON.stringify(input)}`, () => {
      for (const state of [greeting, greetingUnlisted, configuring, running]) {
        const after = step(state, input);
        expect(after.state.phase).to.equal('closed');
        expect(after.effects).to.have.length(1);
        expect(after.effects[0]).to.include({ kind: 'close', name });
        expect(after.effects[0]).to.have.property('message').that.matches(message);
      }
    });

  it('hangs up on the provider when the client is gone', () => {
    const { state, effects } = step(running, { kind: 'client.closed' });
    expect(state.phase).to.equal('closed');
    expect(effects).to.deep.equal([{ kind: 'hang_up' }]);
  });

  it('waits for the client of a resumable session to come back, for as long as the grace', () => {
    const resumable = { ...running, settings: { ...settings, resumeGraceSeconds: 30 } };
    const lost = step(resumable, { kind: 'client.lost' });
    expect(lost.state.phase).to.equal('running');
    const grace = { kind: 'arm_timer', timer: 'grace', milliseconds: 30_000 };
    expect(lost.effects).to.deep.equal([grace]);
    const back = step(lost.state, { kind: 'client.resumed' });
    expect(back.effects).to.deep.equal([{ kind: 'disarm_timer', timer: 'grace' }]);
    const over = step(lost.state, { kind: 'timer.fired', timer: 'grace' });
    expect([over.state.phase, over.effects]).to.deep.equal(['closed', [{ kind: 'hang_up' }]]);
  });

  it('is left to another pod if the session is resumable and this one drains', () => {
    const resumable = { ...running, settings: { ...settings, resumeGraceSeconds: 30 } };
    const { state, effects } = step(resumable, { kind: 'drain.requested' });
    expect([state.phase, effects]).to.deep.equal(['closed', [{ kind: 'hand_over' }]]);
    const early = { ...configuring, settings: resumable.settings };
    const [closed] = step(early, { kind: 'drain.requested' }).effects;
    expect(closed).to.include({ kind: 'close', name: 'ServiceRestart' });
  });

  it('is left to nobody once the client cannot come back', () => {
    const resumable = { ...running, settings: { ...settings, resumeGraceSeconds: 30 } };
    const { state, effects } = step(resumable, { kind: 'client.unresumable' });
    expect([state.phase, effects]).to.deep.equal(['running', []]);
    expect(step(state, { kind: 'drain.requested' }).effects[0]).to.include({
      ...{ kind: 'close', name: 'ServiceRestart' },
    });
    expect(step(state, { kind: 'client.lost' }).effects).to.deep.equal([{ kind: 'hang_up' }]);
  });

  it('does not wait in other sessions, nor before the session runs', () => {
    const early = { ...configuring, settings: { ...settings, resumeGraceSeconds: 30 } };
    for (const state of [running, early])
      expect(step(state, { kind: 'client.lost' }).effects).to.deep.equal([{ kind: 'hang_up' }]);
  });

  it('happens once: no input has an effect afterwards', () => {
    const { state } = step(running, { kind: 'drain.requested' });
    const inputs: Input[] = [...endings.map(([input]) => input), { kind: 'client.closed' }];
    for (const input of inputs) expect(step(state, input)).to.deep.equal({ state, effects: [] });
  });

  it('has a reason that fits a close frame, whatever the cause', () => {
    for (const name of Object.keys(closeCodes)) expect(Buffer.byteLength(name)).to.be.at.most(123);
  });
});

it('a session whose organization has no tokens left is told, and ends a little later', () => {
  const { state, effects } = step(running, { kind: 'quota.reached', secondsLeft: 10 });
  expect(state.phase).to.equal('running');
  const [told, timer] = effects;
  const data = { reason: 'QuotaReached', secondsLeft: 10 };
  expect(told).to.have.nested.property(
    'frame.data',
    JSON.stringify({ type: 'session.expiring', data }),
  );
  expect(timer).to.deep.equal({ kind: 'arm_timer', timer: 'quota', milliseconds: 10_000 });
});

describe('the tools of an agent', () => {
  const created = {
    kind: 'provider.frame',
    route: 'session',
    frame: text({ type: 'session.created' }),
    now: 0,
  } as const;
  const listed = { kind: 'tools.listed', tools: settings.backendTools! } as const;
  const updates = (effects: readonly Effect[]) =>
    effects.filter(({ kind }) => kind === 'send_provider');

  it('are waited for by a provider that is there first, against a clock of its own', () => {
    const waiting = step(greetingUnlisted, created);
    expect(waiting.state.phase).to.equal('listing');
    expect(updates(waiting.effects)).to.deep.equal([]);
    const { state, effects } = step(waiting.state, listed);
    expect(state.phase).to.equal('configuring');
    expect(effects[0]).to.deep.equal({
      ...{ kind: 'arm_timer', timer: 'ready', milliseconds: 15_000 },
    });
    expect(updates(effects)).to.deep.equal(updates(step(greeting, created).effects));
  });

  it('wait for a provider that comes later', () => {
    const { state, effects } = step(greetingUnlisted, listed);
    expect([state.phase, effects]).to.deep.equal(['greeting', []]);
    expect(step(state, created)).to.deep.equal(step(greeting, created));
  });

  it('come too late for a session that is over', () => {
    const { state } = step(greetingUnlisted, { kind: 'client.closed' });
    expect(step(state, listed)).to.deep.equal({ state, effects: [] });
  });
});

it('a session starts by dialling against the clock', () => {
  expect(openSession(settings).effects).to.deep.equal([
    { kind: 'arm_timer', timer: 'ready', milliseconds: 15_000 },
    { kind: 'dial' },
  ]);
});

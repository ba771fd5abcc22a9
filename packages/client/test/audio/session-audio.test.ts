import { expect } from 'chai';
import type { AudioFormat, Player, SessionState, StateChange } from '#src/index.js';
import {
  type AudioSession,
  type Microphone,
  SessionAudio,
  type Speaker,
} from '#src/audio/index.js';
import { ParleyError } from '#src/errors.js';

/** 40 ms, as the microphone gives them. */
const chunk = () => new Int16Array(960);

function fakes(state: SessionState = 'open') {
  const log: string[] = [];
  const attached: unknown[] = [];
  const listeners = {
    audio: (_: Int16Array) => undefined as unknown,
    ended: [] as ((error: ParleyError) => void)[],
    state: (_: StateChange) => undefined as unknown,
  };
  const session = {
    state,
    activity: 'idle' as AudioSession['activity'],
    inputFormat: 'pcm16' as AudioFormat,
    on: (_: 'state', listener: (change: StateChange) => void) => {
      listeners.state = listener;
      return () => void log.push('unsubscribed');
    },
    sendAudio: () => void log.push('sendAudio'),
    commit: () => void log.push('commit'),
    interrupt: () => void log.push('interrupt'),
    attachPlayer: (player: Player) => {
      attached.push(player);
      return () => void log.push('detached');
    },
  } satisfies AudioSession;
  const microphone = {
    muted: false,
    level: 0.25,
    problem: undefined as ParleyError | undefined,
    onAudio: (listener: (audio: Int16Array) => void) => {
      listeners.audio = listener;
      return () => (listeners.audio = () => undefined);
    },
    onEnded: (listener: (error: ParleyError) => void) => {
      listeners.ended.push(listener);
      return () => undefined;
    },
    mute: () => void (microphone.muted = true),
    unmute: () => void (microphone.muted = false),
    close: () => Promise.resolve(void log.push('microphone closed')),
  };
  const speaker = {
    playing: false,
    level: 0.5,
    onState: () => () => undefined,
    close: () => Promise.resolve(void log.push('speaker closed')),
  };
  return {
    log,
    session,
    microphone,
    speaker,
    hear: (times = 1) => {
      for (let time = 0; time < times; time++) listeners.audio(chunk());
    },
    become: (next: SessionState, resumed?: true) => {
      session.state = next;
      listeners.state({ state: next, ...(resumed && { resumed }) });
    },
    unplug: () => {
      microphone.problem = new ParleyError('microphone-missing', 'Gone.');
      for (const tell of listeners.ended) tell(microphone.problem);
    },
    attached,
    connect: (mode: 'hands-free' | 'push-to-talk') =>
      new SessionAudio(session, {
        microphone: microphone as unknown as Microphone,
        speaker: speaker as unknown as Speaker,
        mode,
      }),
  };
}

describe('SessionAudio', () => {
  it('makes the speaker the player of the session', () => {
    const { attached, connect, speaker } = fakes();
    connect('hands-free');
    expect(attached).to.deep.equal([speaker]);
  });

  it('sends what the microphone hears while the session is open, and nothing while it reconnects', () => {
    const { log, connect, hear, become } = fakes();
    connect('hands-free');
    hear(2);
    become('reconnecting');
    hear(5);
    become('open');
    hear();
    expect(log).to.deep.equal(['sendAudio', 'sendAudio', 'sendAudio']);
  });

  it('sends with push-to-talk what is said while held, with the chunk that was begun, then commits', () => {
    const { log, connect, hear } = fakes();
    const audio = connect('push-to-talk');
    hear(3);
    audio.hold();
    hear(3);
    audio.release();
    expect(audio.talking).to.equal(false);
    hear(3);
    expect(log).to.deep.equal([...Array<string>(4).fill('sendAudio'), 'commit']);
  });

  it('takes a mere touch of the button for nothing', () => {
    const { log, connect, hear } = fakes();
    const audio = connect('push-to-talk');
    audio.hold();
    audio.release();
    hear(9);
    expect(log).to.deep.equal(['sendAudio']);
  });

  it('does not count what was said before the button was held', () => {
    const { log, connect, hear } = fakes();
    const audio = connect('hands-free');
    hear(9);
    audio.mode = 'push-to-talk';
    audio.hold();
    audio.release();
    hear();
    expect(log).not.to.include('commit');
  });

  it('goes on with the turn when the button is held again at once', () => {
    const { log, connect, hear } = fakes();
    const audio = connect('push-to-talk');
    audio.hold();
    hear(3);
    audio.release();
    audio.hold();
    hear(3);
    expect(log).not.to.include('commit');
  });

  it('interrupts an answer that is coming or playing when the button is held, and nothing else', () => {
    const { log, connect, session, speaker } = fakes();
    const audio = connect('push-to-talk');
    const holdWhen = (activity: AudioSession['activity'], playing: boolean) => {
      Object.assign(session, { activity });
      Object.assign(speaker, { playing });
      audio.hold();
      audio.mode = 'push-to-talk';
      return log.splice(0);
    };
    expect(holdWhen('idle', false)).to.deep.equal([]);
    expect(holdWhen('idle', true)).to.deep.equal(['interrupt']);
    expect(holdWhen('thinking', false)).to.deep.equal(['interrupt']);
    expect(holdWhen('speaking', false)).to.deep.equal(['interrupt']);
  });

  it('keeps the agent from answering while the button is held, on whatever connection', () => {
    const { log, connect, session, hear, become } = fakes();
    Object.assign(session, { setTalking: (talking: boolean) => log.push(`talking ${talking}`) });
    const audio = connect('push-to-talk');
    audio.hold();
    become('reconnecting');
    become('open');
    hear(3);
    audio.release();
    expect(log).not.to.include('talking false');
    hear();
    expect(log.filter((done) => done !== 'sendAudio')).to.deep.equal([
      ...['talking true', 'talking true', 'commit', 'talking false'],
    ]);
    audio.hold();
    audio.mode = 'hands-free';
    expect(log.slice(-2)).to.deep.equal(['talking true', 'talking false']);
  });

  it('does not commit to a new connection what only the former one heard', () => {
    const { log, connect, hear, become } = fakes();
    const audio = connect('push-to-talk');
    audio.hold();
    hear(5);
    become('reconnecting');
    become('open');
    audio.release();
    hear();
    expect(log).not.to.include('commit');
  });

  it('commits to a session that continues what was said before it was interrupted', () => {
    const { log, connect, hear, become } = fakes();
    const audio = connect('push-to-talk');
    audio.hold();
    hear(5);
    become('reconnecting');
    audio.release();
    expect(audio.talking).to.equal(false);
    hear();
    expect(log.filter((done) => done === 'commit')).to.have.length(0);
    become('open', true);
    expect(log.filter((done) => done === 'commit')).to.have.length(1);
    hear(3);
    expect(log.at(-1)).to.equal('commit');
  });

  it('forgets a turn that was released while a new session was opened', () => {
    const { log, connect, hear, become } = fakes();
    const audio = connect('push-to-talk');
    audio.hold();
    hear(5);
    become('reconnecting');
    audio.release();
    become('open');
    hear(5);
    expect(log).to.deep.equal(Array(5).fill('sendAudio'));
  });

  it('commits what was said when the microphone is lost before the last chunk', () => {
    const { log, connect, hear, unplug } = fakes();
    const audio = connect('push-to-talk');
    let changes = 0;
    audio.onChange(() => changes++);
    audio.hold();
    hear(5);
    audio.release();
    unplug();
    expect(log.at(-1)).to.equal('commit');
    expect(audio.problem).to.include({ code: 'microphone-missing' });
    expect(changes).to.equal(3);
    audio.hold();
    audio.release();
    expect(audio.talking).to.equal(false);
  });

  it('mutes, and tells the levels of both', () => {
    const { connect } = fakes();
    const audio = connect('hands-free');
    audio.mute();
    expect(audio.muted).to.equal(true);
    audio.unmute();
    expect(audio.muted).to.equal(false);
    expect(audio.levels).to.deep.equal({ microphone: 0.25, speaker: 0.5 });
  });

  it('closes both once, with the session or before it', async () => {
    for (const end of ['session', 'close'] as const) {
      const { log, connect, become, hear } = fakes();
      const audio = connect('hands-free');
      if (end === 'session') become('closed');
      await Promise.all([audio.close(), audio.close()]);
      hear();
      audio.hold();
      expect(audio).to.include({ closed: true, talking: false });
      const ends = ['detached', 'unsubscribed', 'microphone closed', 'speaker closed'];
      expect(log).to.deep.equal(ends);
    }
  });

  it('closes at once what is connected to a session that is closed', () => {
    const { log, connect } = fakes('closed');
    expect(connect('hands-free').closed).to.equal(true);
    expect(log)
      .to.include('detached')
      .and.include('microphone closed')
      .and.include('speaker closed');
  });
});

import { expect } from 'chai';
import { sessionAsCode } from '#src/pages/playground/as-code.js';
import { noticeOf } from '#src/pages/playground/notice.js';
import { talkView } from '#src/pages/playground/talk.js';
import { noWishes, sessionRequest } from '#src/pages/playground/wishes.js';
import { joined, recalled } from '#src/pages/playground/history.js';
import { nothingSaid } from '#src/pages/playground/stream.js';

const writing = { clientTools: [], talking: false };
const talking = { clientTools: [], talking: true };

describe('what a session of the playground is created with', () => {
  it('is nothing but the way of answering, unless something was chosen', () => {
    expect(sessionRequest(noWishes, talking)).to.deep.equal({});
    expect(sessionRequest(noWishes, writing)).to.deep.equal({ outputModalities: ['text'] });
  });

  it('is what was chosen', () => {
    const wishes = {
      ...noWishes,
      voice: ' coral ',
      turnDetection: 'server_vad',
      silence: '700',
      answers: 'audio',
      files: 'a, b\nc',
      outputFormat: 'g711_ulaw',
    } as const;
    expect(sessionRequest(wishes, { ...writing, conversationId: 'c' })).to.deep.equal({
      conversationId: 'c',
      voice: 'coral',
      turnDetection: { type: 'server_vad', silenceDurationMs: 700 },
      outputModalities: ['audio'],
      outputAudioFormat: 'g711_ulaw',
      fileIds: ['a', 'b', 'c'],
    });
  });
});

describe('a session as code', () => {
  const facts = {
    origin: 'https://parley.example.com',
    organizationId: 'org-1',
    agentId: 'agent-1',
    request: { additionalInstructions: `It's "quoted" $HOME` },
    talking: true,
    pushToTalk: true,
  };
  const codeOf = (language: string) =>
    sessionAsCode(facts).find((snippet) => snippet.language === language)?.code ?? '';

  it('creates it with curl, whatever is in its texts', () => {
    expect(codeOf('curl')).to.equal(
      [
        `curl -X POST 'https://parley.example.com/api/v1/Agent/agent-1/realtime-session'`,
        `-H "X-Api-Key: $PARLEY_API_KEY"`,
        `-H 'X-Org-Id: org-1'`,
        `--json '{"additionalInstructions":"It'\\''s \\"quoted\\" $HOME"}'`,
      ].join(' \\\n  '),
    );
  });

  it('opens it in a page by a backend that has the key', () => {
    expect(codeOf('TypeScript (backend)'))
      .to.include('apiKey: process.env.PARLEY_API_KEY!')
      .and.to.include('parley.realtimeSessions.create("agent-1", {\n    ...request,\n')
      .and.to.include('"additionalInstructions": "It\'s \\"quoted\\" $HOME"');
    expect(codeOf('TypeScript (page)'))
      .to.include(`connectAudio(session, { mode: 'push-to-talk' })`)
      .and.not.to.include('API_KEY');
  });
});

describe('what is told of a session', () => {
  const now = { online: true, session: 'open', trouble: null, hasConversation: true } as const;

  it('is nothing while all is well', () => {
    expect(noticeOf(now)).to.equal(undefined);
  });

  it('is what stops everything before what stops a part', () => {
    const trouble = { kind: 'problem', message: 'No.' } as const;
    expect(noticeOf({ ...now, online: false, trouble })?.title).to.equal('You are offline');
    expect(noticeOf({ ...now, session: 'reconnecting' })?.action).to.equal(undefined);
    expect(noticeOf({ ...now, trouble })?.text).to.equal('No.');
    expect(noticeOf({ ...now, session: 'closed' })?.action?.label).to.equal('Continue');
  });
});

describe('the talk button', () => {
  const on = {
    session: 'open',
    activity: 'idle',
    microphone: 'on',
    muted: false,
    held: false,
    pushToTalk: false,
  } as const;
  const press = (change: Partial<Parameters<typeof talkView>[0]>) => {
    const { state, press: does } = talkView({ ...on, ...change });
    return [state, does];
  };

  it('starts, mutes and unmutes, or is held', () => {
    expect([
      press({ microphone: 'off' }),
      press({ microphone: 'asking' }),
      press({ session: 'reconnecting' }),
      press({}),
      press({ muted: true }),
      press({ activity: 'speaking' }),
      press({ pushToTalk: true }),
      press({ pushToTalk: true, held: true }),
    ]).to.deep.equal([
      ['off', 'start'],
      ['connecting', 'none'],
      ['waiting', 'none'],
      ['listening', 'mute'],
      ['muted', 'unmute'],
      ['speaking', 'mute'],
      ['ready', 'hold'],
      ['listening', 'hold'],
    ]);
  });
});

describe('a conversation that goes on', () => {
  const message = (id: string, text: string, replayed = false) => ({
    id,
    role: 'user' as const,
    text,
    final: true,
    interrupted: false,
    heardLength: text.length,
    replayed,
  });

  it('shows what was said before once, although the session repeats it', () => {
    const past = { ...nothingSaid, messages: [message('a', 'Hello')] };
    const now = {
      ...nothingSaid,
      messages: [message('again', 'Hello', true), message('b', 'Hi')],
    };
    expect(joined(past, now).messages.map(({ id }) => id)).to.deep.equal(['a', 'b']);
    expect(joined(nothingSaid, now)).to.equal(now);
  });

  it('has nothing to recall of a conversation that is empty', () => {
    expect(recalled([]).said.messages).to.deep.equal([]);
  });
});

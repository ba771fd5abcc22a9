import { expect } from 'chai';
import { RealtimeError } from '@parley/protocol';
import { requireAudioFormat, requireRealtime, type RealtimeFacts } from '#src/realtime-rules.js';

const connection = { enabled: true, realtime: true, models: [] };
const facts: RealtimeFacts = {
  deploymentEnabled: true,
  agent: { realtimeEnabled: true, model: null },
  connection,
  deploymentModel: 'gpt-realtime',
};

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    expect(error).to.be.instanceOf(RealtimeError);
    return (error as RealtimeError).errorCode;
  }
};

describe('an agent can be talked to', () => {
  const fitting: [string, Partial<RealtimeFacts>][] = [
    ['when nothing forbids it', {}],
    [
      'on its own model, if that is the deployment’s',
      { agent: { realtimeEnabled: true, model: 'gpt-realtime' } },
    ],
    [
      'on a connection that lists the model',
      { connection: { ...connection, models: ['x', 'gpt-realtime'] } },
    ],
  ];
  for (const [title, change] of fitting)
    it(title, () => {
      expect(codeOf(() => requireRealtime({ ...facts, ...change }))).to.equal(undefined);
    });

  const refused: [string, Partial<RealtimeFacts>, string][] = [
    ['in a deployment without realtime', { deploymentEnabled: false }, 'RealtimeNotEnabled'],
    [
      'if realtime is off for it',
      { agent: { realtimeEnabled: false, model: null } },
      'RealtimeNotEnabled',
    ],
    ['without a connection', { connection: undefined }, 'RealtimeUnsupportedConnection'],
    [
      'on a disabled connection',
      { connection: { ...connection, enabled: false } },
      'RealtimeUnsupportedConnection',
    ],
    [
      'on a connection without realtime',
      { connection: { ...connection, realtime: false } },
      'RealtimeUnsupportedConnection',
    ],
    [
      'on another model',
      { agent: { realtimeEnabled: true, model: 'gpt-4o' } },
      'RealtimeUnsupportedModel',
    ],
    [
      'on a connection that lacks the model',
      { connection: { ...connection, models: ['other'] } },
      'RealtimeUnsupportedModel',
    ],
  ];
  for (const [title, change, code] of refused)
    it(`but not ${title}: ${code}`, () => {
      expect(codeOf(() => requireRealtime({ ...facts, ...change }))).to.equal(code);
    });
});

describe('an audio format', () => {
  it('is taken if it is switched on', () => {
    expect(requireAudioFormat('input', 'pcm16', ['pcm16'])).to.equal('pcm16');
    expect(requireAudioFormat('output', 'g711_ulaw', ['pcm16', 'g711_ulaw'])).to.equal('g711_ulaw');
  });

  for (const format of ['mp3', 'g711_ulaw', 'constructor', ''])
    it(`is refused: "${format}"`, () => {
      expect(codeOf(() => requireAudioFormat('output', format, ['pcm16']))).to.equal(
        'RealtimeAudioFormatUnsupported',
      );
    });
});

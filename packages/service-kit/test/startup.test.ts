import { expect } from 'chai';
import { describeListenError } from '#src/listen.js';
import { fromSetting, StartupError, unusable } from '#src/startup-error.js';
import { reportStartupFailure } from '#src/startup.js';

function report(error: unknown) {
  const seen = { text: '', codes: [] as number[] };
  reportStartupFailure(error, {
    write: (text) => (seen.text += text),
    exit: (code) => seen.codes.push(code),
  });
  expect(seen.codes).to.deep.equal([1]);
  return seen.text;
}

describe('reportStartupFailure', () => {
  it('tells what the operator can mend in one line, without a stack', () => {
    expect(report(new StartupError('DATABASE_URL: no answer', { cause: new Error('x') }))).to.equal(
      'DATABASE_URL: no answer\n',
    );
  });

  it('tells anything else with its stack', () => {
    expect(report(new TypeError('bug'))).to.match(/^TypeError: bug\n\s+at .*startup\.test/);
    expect(report('plain words')).to.equal('plain words\n');
  });

  it('shows no secret', () => {
    expect(report(new Error('no answer from redis://:hush@redis'))).not.to.include('hush');
  });
});

describe('describeListenError', () => {
  const at = { host: '0.0.0.0', port: 8080, setting: 'PORT' };
  const failing = (code: string) => Object.assign(new Error('listen'), { code });

  it('names the port and the setting that chooses it', () => {
    for (const code of ['EADDRINUSE', 'EACCES']) {
      const described = describeListenError(failing(code), at);
      expect(described).to.be.instanceOf(StartupError);
      expect(String(described)).to.include('8080').and.to.include('PORT');
    }
  });

  it('names HOST where the address is at fault', () => {
    for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])
      expect(String(describeListenError(failing(code), at))).to.include('HOST');
  });

  it('leaves an error that nobody can mend as it is', () => {
    const error = failing('EWHATEVER');
    expect(describeListenError(error, at)).to.equal(error);
    expect(describeListenError('odd', at)).to.equal('odd');
  });
});

describe('fromSetting', () => {
  it('gives what was made, and names the setting of which nothing can be made', () => {
    expect(fromSetting('A_LIST', () => [1])).to.deep.equal([1]);
    const refuse = () => {
      throw new RangeError('"10.0.0.0/99" is not a range.');
    };
    expect(() => fromSetting('A_LIST', refuse)).to.throw(
      StartupError,
      'A_LIST cannot be used: "10.0.0.0/99" is not a range.',
    );
  });
});

describe('unusable', () => {
  it('names the setting and the reason', () => {
    expect(() => unusable('REDIS_URL')(new Error('connect ECONNREFUSED 127.0.0.1:1'))).to.throw(
      StartupError,
      'REDIS_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  it('names the variable that makes a private CA known', () => {
    const code = 'SELF_SIGNED_CERT_IN_CHAIN';
    const cause = Object.assign(new Error('self-signed certificate'), { code });
    expect(() => unusable('REDIS_URL')(new Error('node 1', { cause }))).to.throw(
      'REDIS_URL cannot be used: node 1; for a private CA, set NODE_EXTRA_CA_CERTS',
    );
  });

  it('gives the reason of each address of a host', () => {
    const both = new AggregateError([new Error('refused ::1'), new Error('refused 127.0.0.1')]);
    expect(() => unusable('DATABASE_URL')(both)).to.throw('refused ::1; refused 127.0.0.1');
  });
});

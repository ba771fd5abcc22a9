import { expect } from 'chai';
import fc from 'fast-check';
import { editDistance } from '#src/edit-distance.js';
import { settings } from '#src/settings.js';
import { unknownSettings } from '#src/unknown-settings.js';

const warningFor = (name: string, value = 'x') => unknownSettings({ [name]: value })[0];

describe('unknownSettings', () => {
  it('suggests the setting that was meant', () => {
    expect(warningFor('REALTIME_IDEL_TIMEOUT_SECONDS')).to.equal(
      'REALTIME_IDEL_TIMEOUT_SECONDS is not a setting of Parley; ' +
        'did you mean REALTIME_IDLE_TIMEOUT_SECONDS?',
    );
    expect(warningFor('RATE_LIMIT_MINUTE')).to.include('did you mean RATE_LIMIT_PER_MINUTE?');
    expect(warningFor('REALTIM_ENABLED')).to.include('did you mean REALTIME_ENABLED?');
  });

  it('suggests nothing where nothing is near', () => {
    expect(warningFor('DRAIN_BELT_IS_MISSING')).to.equal(
      'DRAIN_BELT_IS_MISSING is not a setting of Parley',
    );
  });

  it('knows every setting, whichever app reads it', () => {
    expect(
      unknownSettings(Object.fromEntries(Object.keys(settings).map((n) => [n, 'x']))),
    ).to.deep.equal([]);
  });

  const foreign = {
    'a variable of another program': [
      'PATH',
      'HOME',
      'NODE_ENV',
      'POD_NAME',
      'PORTS',
      'constructor',
    ],
    'a family shared with other programs': [
      'DATABASE_HOST',
      'REDIS_PASSWORD',
      'REDIS_TLS_URL',
      'OPENAI_ORG_ID',
      'LOG_FORMAT',
      'DATA_SOURCE',
      'MAX_OLD_SPACE',
    ],
    'a Kubernetes service link': [
      'REDIS_SERVICE_HOST',
      'REDIS_SERVICE_PORT',
      'REDIS_PORT_6379_TCP_ADDR',
      'REALTIME_GATEWAY_SERVICE_HOST',
      'REALTIME_GATEWAY_SERVICE_PORT_HTTP',
      'PROVIDER_SIMULATOR_PORT_8080_TCP',
      'PROVIDER_SIMULATOR_PORT_8080_TCP_PROTO',
    ],
  };
  for (const [what, names] of Object.entries(foreign))
    it(`is silent about ${what}`, () => {
      for (const name of names) expect(warningFor(name), name).to.equal(undefined);
    });

  it('takes a port that is a Kubernetes address for a service link', () => {
    expect(warningFor('REDIS_PORT', 'tcp://10.0.0.1:6379')).to.equal(undefined);
    expect(warningFor('PROVIDER_SIMULATOR_PORT', 'tcp://10.0.0.1:8080')).to.equal(undefined);
    expect(warningFor('INTERNL_PORT', '9091')).to.include('did you mean INTERNAL_PORT?');
  });

  it('warns in a shared family of a near miss', () => {
    expect(warningFor('DATABASE_URI')).to.include('did you mean DATABASE_URL?');
    expect(warningFor('REDIS_URLS')).to.include('did you mean REDIS_URL?');
    expect(warningFor('LOG_LEVLE')).to.include('did you mean LOG_LEVEL?');
  });

  it('never shows a value', () => {
    expect(warningFor('PROVIDER_APIKEY', 'hunter2')).not.to.include('hunter2');
  });

  it('is silent about an empty variable', () => {
    expect(warningFor('REALTIME_NOTHING', '')).to.equal(undefined);
  });
});

describe('editDistance', () => {
  it('counts insertions, deletions and replacements', () => {
    expect(editDistance('', '')).to.equal(0);
    expect(editDistance('abc', '')).to.equal(3);
    expect(editDistance('', 'abc')).to.equal(3);
    expect(editDistance('kitten', 'sitting')).to.equal(3);
  });

  it('is a metric', () => {
    const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b)).to.equal(editDistance(b, a));
        expect(editDistance(a, b) === 0).to.equal(a === b);
        expect(editDistance(a, c)).to.be.at.most(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});

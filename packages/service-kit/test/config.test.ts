import { expect } from 'chai';
import { readConfig, requireConfig, type ConfigOf } from '#src/config.js';
import { StartupError } from '#src/startup-error.js';

const key = Buffer.alloc(32, 7).toString('base64');
const stores = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  DATABASE_URL: 'postgres://parley:hush@127.0.0.1/parley',
  SECRETS_KEY: key,
};

type Equal<A, B> = [A, B] extends [B, A] ? true : false;

function problemsOf(env: Record<string, string>): readonly string[] {
  const result = readConfig('standalone', env);
  return result.ok ? [] : result.problems;
}

function valueOf<Name extends keyof ConfigOf<'standalone'>>(
  name: Name,
  raw: string,
): ConfigOf<'standalone'>[Name] {
  return requireConfig('standalone', { [name]: raw }).config[name];
}

describe('readConfig', () => {
  it('needs nothing for standalone and fills in the defaults', () => {
    const { config, warnings } = requireConfig('standalone', {});
    expect(warnings).to.deep.equal([]);
    expect(config).to.include({
      PORT: 8080,
      HOST: '0.0.0.0',
      LOG_LEVEL: 'info',
      REALTIME_ENABLED: true,
      REALTIME_SESSION_TTL_SECONDS: 60,
      REALTIME_CLIENT_OVERRIDES: 'merge',
      DATABASE_URL: undefined,
    });
    expect(config.REALTIME_INPUT_AUDIO_FORMATS).to.deep.equal(['pcm16']);
  });

  it('holds the settings of the app alone', () => {
    const { config } = requireConfig('provider-simulator', { RATE_LIMIT_PER_MINUTE: 'nonsense' });
    expect(config).to.have.all.keys('PORT', 'INTERNAL_PORT', 'HOST', 'LOG_LEVEL');
  });

  for (const app of ['api', 'realtime-gateway', 'worker'] as const)
    it(`reports all that ${app} misses together`, () => {
      const result = readConfig(app, {});
      expect(result.ok).to.equal(false);
      expect(!result.ok && result.problems).to.deep.equal([
        'REDIS_URL is missing; accepted: a URL starting with redis:// or rediss://, or several, separated by commas',
        'DATABASE_URL is missing; accepted: a URL starting with postgres:// or postgresql://',
        'SECRETS_KEY is missing; accepted: base64 of 32 bytes, as made by: openssl rand -base64 32',
      ]);
      expect(readConfig(app, stores).ok).to.equal(true);
    });

  it('lets the administrator do without servers', () => {
    expect(requireConfig('admin', {}).config.DATABASE_URL).to.equal(undefined);
  });

  it('takes an empty variable for an unset one', () => {
    expect(requireConfig('standalone', { PORT: '', DATABASE_URL: '' }).config.PORT).to.equal(8080);
    expect(readConfig('api', { ...stores, DATABASE_URL: '' }).ok).to.equal(false);
  });

  it('says on one line each what is wrong and what is accepted', () => {
    expect(problemsOf({ PORT: '80a', LOG_LEVEL: 'loud', REALTIME_ENABLED: 'yes' })).to.deep.equal([
      'PORT="80a" is not a whole number; accepted: a whole number from 0 to 65535',
      'LOG_LEVEL="loud" is not one of the choices; accepted: fatal, error, warn, info, debug, trace, or silent',
      'REALTIME_ENABLED="yes" is not a boolean; accepted: true or false',
    ]);
  });

  it('keeps a problem on one short line whatever the value holds', () => {
    const [problem] = problemsOf({ HOST: `a\nb${'c'.repeat(1000)}` });
    expect(problem).to.match(/^HOST="a\\nbc+…" has .*$/);
    expect(problem!.length).to.be.below(250);
  });

  it('never shows a secret, not even a malformed one', () => {
    const problems = problemsOf({
      SECRETS_KEY: 'hunter2',
      DATABASE_URL: 'mysql://root:hunter2@db',
      REDIS_URL: 'hunter2',
      PROVIDER_API_KEY: 'hunter2\n',
      BOOTSTRAP_API_KEY: 'hunter2',
      SECRETS_KEY_PREVIOUS: 'hunter2',
    });
    expect(problems).to.have.length(6);
    expect(problems.join()).not.to.include('hunter2');
  });

  it('freezes the config and the lists in it', () => {
    const { config } = requireConfig('standalone', { REALTIME_INPUT_AUDIO_FORMATS: 'pcm16' });
    expect(config).to.be.frozen;
    expect(config.REALTIME_INPUT_AUDIO_FORMATS).to.be.frozen;
    expect(config.REALTIME_ALLOWED_ORIGINS).to.be.frozen;
  });

  it('types each setting from its row', () => {
    const proofs: readonly [
      Equal<ConfigOf<'api'>['PORT'], number>,
      Equal<ConfigOf<'api'>['DATABASE_URL'], string>,
      Equal<ConfigOf<'standalone'>['DATABASE_URL'], string | undefined>,
      Equal<ConfigOf<'standalone'>['PUBLIC_URL'], string | undefined>,
      Equal<ConfigOf<'api'>['REALTIME_ENABLED'], boolean>,
      Equal<
        ConfigOf<'realtime-gateway'>['REALTIME_CLIENT_OVERRIDES'],
        'merge' | 'refuse' | 'allow'
      >,
      Equal<ConfigOf<'realtime-gateway'>['REALTIME_ALLOWED_ORIGINS'], readonly string[]>,
      Equal<
        ConfigOf<'api'>['REALTIME_INPUT_AUDIO_FORMATS'],
        readonly ('pcm16' | 'g711_ulaw' | 'g711_alaw')[]
      >,
      Equal<keyof ConfigOf<'provider-simulator'>, 'PORT' | 'INTERNAL_PORT' | 'HOST' | 'LOG_LEVEL'>,
    ] = [true, true, true, true, true, true, true, true, true];
    expect(proofs).not.to.include(false);
  });
});

describe('requireConfig', () => {
  it('throws every problem as a reason not to start', () => {
    expect(() => requireConfig('standalone', { PORT: 'x', INTERNAL_PORT: 'y' }))
      .to.throw(StartupError)
      .with.property('message')
      .that.matches(/^PORT=.*\nINTERNAL_PORT=.*$/);
  });
});

describe('a setting', () => {
  for (const raw of [
    '1e3',
    '0x10',
    '1.5',
    'NaN',
    ' 5 ',
    '5 ',
    '+5',
    '-1',
    '007',
    '5s',
    '1_000',
    '٣',
  ])
    it(`refuses ${JSON.stringify(raw)} as an integer`, () => {
      expect(problemsOf({ RATE_LIMIT_PER_MINUTE: raw })).to.have.length(1);
    });

  it('keeps an integer within its bounds', () => {
    expect(valueOf('PORT', '0')).to.equal(0);
    expect(valueOf('PORT', '65535')).to.equal(65_535);
    expect(problemsOf({ PORT: '65536' })[0]).to.include('is too large');
    expect(valueOf('RATE_LIMIT_PER_MINUTE', '1000000')).to.equal(1_000_000);
    expect(problemsOf({ RATE_LIMIT_PER_MINUTE: '0' })[0]).to.include('is too small');
    expect(problemsOf({ RATE_LIMIT_PER_MINUTE: '9'.repeat(400) })[0]).to.include('is too large');
  });

  it('refuses seconds that setTimeout would overflow', () => {
    expect(valueOf('REALTIME_IDLE_TIMEOUT_SECONDS', '1')).to.equal(1);
    expect(valueOf('REALTIME_IDLE_TIMEOUT_SECONDS', '2147483')).to.equal(2_147_483);
    expect(problemsOf({ REALTIME_IDLE_TIMEOUT_SECONDS: '2147484' })).to.have.length(1);
    expect(problemsOf({ REALTIME_IDLE_TIMEOUT_SECONDS: '0' })).to.have.length(1);
    const { config } = requireConfig('api', { ...stores, DRAIN_LAG_SECONDS: '0' });
    expect(config.DRAIN_LAG_SECONDS).to.equal(0);
  });

  it('reads true and false alone as a boolean', () => {
    expect(valueOf('REALTIME_ENABLED', 'false')).to.equal(false);
    for (const raw of ['1', 'TRUE', 'yes', ' true'])
      expect(problemsOf({ REALTIME_ENABLED: raw }), raw).to.have.length(1);
  });

  it('reads what an enum accepted before as what it means now', () => {
    for (const [raw, value] of Object.entries({ off: 'off', tools: 'tools', all: 'all' }))
      expect(valueOf('REALTIME_REDACT_SESSION_ECHO', raw)).to.equal(value);
    expect(valueOf('REALTIME_REDACT_SESSION_ECHO', 'true')).to.equal('all');
    expect(valueOf('REALTIME_REDACT_SESSION_ECHO', 'false')).to.equal('off');
    for (const raw of ['constructor', 'TRUE', 'none'])
      expect(problemsOf({ REALTIME_REDACT_SESSION_ECHO: raw }), raw).to.have.length(1);
  });

  it('splits, trims and deduplicates a list', () => {
    expect(valueOf('REALTIME_INPUT_AUDIO_FORMATS', ' pcm16, g711_ulaw ,,pcm16')).to.deep.equal([
      'pcm16',
      'g711_ulaw',
    ]);
  });

  it('checks the items of a list', () => {
    expect(valueOf('REALTIME_INPUT_AUDIO_FORMATS', 'g711_alaw,pcm16')).to.deep.equal([
      'g711_alaw',
      'pcm16',
    ]);
    for (const raw of ['opus', 'pcm16,opus', ',', ' '])
      expect(problemsOf({ REALTIME_INPUT_AUDIO_FORMATS: raw }), raw).to.have.length(1);
  });

  it('takes an origin as a browser sends it', () => {
    const origins = 'https://app.example.com,http://localhost:3000,http://[::1]:80';
    expect(valueOf('REALTIME_ALLOWED_ORIGINS', origins)).to.have.length(3);
    for (const raw of [
      'app.example.com',
      'https://app.example.com/',
      'https://App.example.com',
      '*',
    ])
      expect(problemsOf({ REALTIME_ALLOWED_ORIGINS: raw }), raw).to.have.length(1);
  });

  it('takes a URL of the right scheme', () => {
    expect(valueOf('DATABASE_URL', 'postgresql:///db?host=/run/pg')).to.match(/^postgresql:/);
    for (const raw of ['http://x', 'postgres:x', 'db:5432', 'postgres://a b', 'postgres://x\n'])
      expect(problemsOf({ DATABASE_URL: raw }), raw).to.have.length(1);
  });

  it('makes a base URL ready for a path to be appended', () => {
    expect(valueOf('PUBLIC_URL', 'https://parley.example.com/')).to.equal(
      'https://parley.example.com',
    );
    expect(valueOf('PROVIDER_BASE_URL', 'https://host/v1//')).to.equal('https://host/v1');
    for (const raw of ['https://x/?a=1', 'https://x/#f', 'ftp://x', 'x'])
      expect(problemsOf({ PUBLIC_URL: raw }), raw).to.have.length(1);
  });

  it('takes a key of exactly 32 bytes in canonical base64', () => {
    expect(valueOf('SECRETS_KEY', key)).to.equal(key);
    const wrong = [
      Buffer.alloc(31).toString('base64'),
      Buffer.alloc(33).toString('base64'),
      Buffer.alloc(32, 255).toString('base64url'),
      Buffer.alloc(32).toString('hex'),
      ` ${key}`,
      `${key}\n`,
    ];
    for (const raw of wrong) expect(problemsOf({ SECRETS_KEY: raw }), raw).to.have.length(1);
  });

  it('takes former keys of the same form, and tells none of them', () => {
    const keys = Array.from({ length: 64 }, (_, fill) => Buffer.alloc(32, fill * 4 + 3));
    const base64 = keys.map((bytes) => bytes.toString('base64'));
    expect(valueOf('SECRETS_KEY_PREVIOUS', base64.join(', '))).to.deep.equal(base64);
    expect(valueOf('SECRETS_KEY_PREVIOUS', '')).to.deep.equal([]);
    const wrong = [
      Buffer.alloc(31).toString('base64'),
      Buffer.alloc(33).toString('base64'),
      Buffer.alloc(32, 255).toString('base64url'),
      key.replace('c=', 'd='),
      `${key},hunter2`,
    ];
    for (const raw of wrong)
      expect(problemsOf({ SECRETS_KEY_PREVIOUS: raw }), raw).to.deep.equal([
        'SECRETS_KEY_PREVIOUS has an invalid item; ' +
          'accepted: a comma-separated list of keys, each base64 of 32 bytes',
      ]);
  });

  it('refuses a key with the newline of the file that it came from', () => {
    expect(problemsOf({ PROVIDER_API_KEY: 'azure\n' })).to.deep.equal([
      'PROVIDER_API_KEY has leading or trailing white space, or a control character; ' +
        'accepted: text without leading or trailing white space',
    ]);
  });

  it('refuses an organization’s id that is no UUID, and a key without its organization', () => {
    expect(problemsOf({ BOOTSTRAP_ORG_ID: 'acme' })).to.deep.equal([
      'BOOTSTRAP_ORG_ID="acme" has the wrong format; accepted: a UUID',
    ]);
    expect(problemsOf({ BOOTSTRAP_API_KEY: '0123456789abcdef' })).to.deep.equal([
      'BOOTSTRAP_API_KEY does nothing without BOOTSTRAP_ORG_ID; set both or neither',
    ]);
  });

  it('refuses half of what OpenID Connect needs', () => {
    const whole = {
      PUBLIC_URL: 'https://parley.example.com',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'parley',
      OIDC_CLIENT_SECRET: 'hush',
      OIDC_ALLOWED_DOMAINS: 'example.com',
    };
    expect(problemsOf(whole)).to.deep.equal([]);
    const { OIDC_CLIENT_ID: _id, ...anonymous } = whole;
    expect(problemsOf(anonymous)).to.deep.equal([
      'OIDC_ISSUER does nothing without OIDC_CLIENT_ID; set both or neither',
      'OIDC_CLIENT_SECRET does nothing without OIDC_CLIENT_ID; set both or neither',
    ]);
    expect(problemsOf({ OIDC_ALLOWED_DOMAINS: 'example.com' })).to.deep.equal([
      'OIDC_ALLOWED_DOMAINS does nothing without OIDC_ISSUER; set both or neither',
    ]);
  });

  it('refuses a bootstrap key that is short', () => {
    expect(problemsOf({ BOOTSTRAP_API_KEY: 'seven77' })[0]).to.match(
      /is too short; accepted: .*at least 16 characters$/,
    );
  });
});

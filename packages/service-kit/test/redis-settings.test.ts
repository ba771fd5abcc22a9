import { expect } from 'chai';
import { readConfig } from '#src/config.js';

const three = 'redis://a:1,redis://b:2,redis://c:3';

/** What is wrong with the settings, without what is accepted instead. */
function problemsOf(env: Record<string, string>): string[] {
  const result = readConfig('standalone', env);
  return result.ok ? [] : result.problems.map((problem) => problem.split(/[;,]/)[0] ?? '');
}

describe('the settings of Redis', () => {
  const accepted = [
    { REDIS_URL: 'redis://a' },
    { REDIS_URL: 'rediss://user:p%2Cw@a:1/3', REDIS_MODE: 'single' },
    { REDIS_URL: three, REDIS_MODE: 'cluster' },
    { REDIS_URL: 'redis://[::1]:7000/0', REDIS_MODE: 'cluster' },
    { REDIS_URL: three, REDIS_MODE: 'sentinel', REDIS_SENTINEL_MASTER: 'mymaster' },
    {
      REDIS_URL: 'redis://u:p@a/2, redis://u:p@b/2',
      REDIS_MODE: 'sentinel',
      REDIS_SENTINEL_MASTER: 'mymaster',
      REDIS_SENTINEL_PASSWORD: 'hush',
    },
  ];
  for (const env of accepted)
    it(`may be ${JSON.stringify(env)}`, () => {
      expect(problemsOf(env)).to.deep.equal([]);
    });

  const refused: [Record<string, string>, string][] = [
    [{ REDIS_URL: three }, 'REDIS_URL names several servers'],
    [{ REDIS_URL: three, REDIS_MODE: 'sentinel' }, 'REDIS_SENTINEL_MASTER is missing'],
    [
      { REDIS_URL: 'redis://a', REDIS_SENTINEL_MASTER: 'm' },
      'REDIS_SENTINEL_MASTER does nothing with REDIS_MODE=single',
    ],
    [
      { REDIS_URL: three, REDIS_MODE: 'cluster', REDIS_SENTINEL_MASTER: 'm' },
      'REDIS_SENTINEL_MASTER does nothing with REDIS_MODE=cluster',
    ],
    [{ REDIS_MODE: 'cluster' }, 'REDIS_MODE does nothing without REDIS_URL'],
    [{ REDIS_URL: 'redis://a', REDIS_MODE: 'ring' }, 'REDIS_MODE="ring" is not one of the choices'],
    [{ REDIS_URL: 'redis://a,redis://b/1', REDIS_MODE: 'cluster' }, 'REDIS_URL names a database'],
    [
      { REDIS_URL: 'redis://:x@a,redis://:y@b', REDIS_MODE: 'cluster' },
      'REDIS_URL has items that differ in scheme',
    ],
    [
      { REDIS_URL: 'redis://a,rediss://b', REDIS_MODE: 'cluster' },
      'REDIS_URL has items that differ in scheme',
    ],
    ...[',', 'redis://a,', 'redis://a,,redis://b', 'redis://a,b'].map(
      (REDIS_URL): [Record<string, string>, string] => [
        { REDIS_URL, REDIS_MODE: 'cluster' },
        'REDIS_URL has an item that is not a URL',
      ],
    ),
    [
      { REDIS_URL: 'redis://a,http://b', REDIS_MODE: 'cluster' },
      'REDIS_URL has an item that has the wrong scheme',
    ],
    [
      { REDIS_URL: 'redis://a,redis://', REDIS_MODE: 'cluster' },
      'REDIS_URL has an item that has no host',
    ],
    [{ REDIS_URL: 'redis://' }, 'REDIS_URL has no host'],
    [{ REDIS_URL: ' redis://a' }, 'REDIS_URL is not a URL'],
  ];
  for (const [env, problem] of refused)
    it(`may not be ${JSON.stringify(env)}`, () => {
      expect(problemsOf(env).join()).to.include(problem);
      expect(problemsOf(env).join()).not.to.include('//');
    });

  it('do nothing in an app that has no Redis', () => {
    expect(readConfig('admin', { REDIS_MODE: 'sentinel' }).ok).to.equal(true);
  });
});

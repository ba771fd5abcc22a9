import { expect } from 'chai';
import { versionProblem } from '#src/redis-requirements.js';

const info = (version: string) => `# Server\r\nredis_version:${version}\r\nos:Linux\r\n`;

describe('the version of Redis', () => {
  for (const version of ['6.2.0', '6.2.14', '7.0.15', '10.0.1', '7.2.4-rc1'])
    it(`may be ${version}`, () => {
      expect(versionProblem(info(version))).to.equal(undefined);
    });
  for (const version of ['6.0.16', '5.0.7', '2.8.0'])
    it(`may not be ${version}`, () => {
      expect(versionProblem(info(version))).to.equal(
        `Redis ${version} is too old; 6.2 or later is needed`,
      );
    });
  it('is not judged where it is not told', () => {
    expect(versionProblem('# Server\r\n')).to.equal(undefined);
  });
});

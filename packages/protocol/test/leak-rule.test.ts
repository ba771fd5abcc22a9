import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newApiKey } from '#src/api-key.js';

const config = readFileSync(join(import.meta.dirname, '../../../.gitleaks.toml'), 'utf8');
const [, regex = ''] = /^id = "parley-api-key"$[^]*?^regex = '''(.*)'''$/m.exec(config) ?? [];
const [, keyword = ''] = /^keywords = \["(.*)"\]$/m.exec(config) ?? [];

/** What the rule reports in a text. */
const found = (text: string) => new RegExp(regex).exec(text)?.[1];

describe('the rule for leaked API keys', () => {
  for (const environment of ['live', 'test', 'a', '0123456789abcdef'])
    it(`finds a key of the environment ${environment}, wherever it stands`, () => {
      const key = newApiKey(environment);
      for (const [before, after] of [
        ['', ''],
        ['const key = "', '";'],
        ['X-Api-Key: ', '\r\n'],
        ['https://host/?key=', '&a=b'],
        ['KEY_', '_old'],
      ] as const)
        expect(found(before + key + after), before).to.equal(key);
      expect(key).to.include(keyword);
    });

  const key = newApiKey('live');
  for (const [what, text] of [
    ['a made-up prefix', key.replace('parley_', 'barley_')],
    ['another spelling', key.replace('live', 'LIVE')],
    ['a key that was cut', key.slice(0, -1)],
    ['something longer', `${key}0`],
    ['a masked key', 'parley_live_…abcd'],
    ['the name of a metric', 'parley_realtime_provider_connect_failures_total'],
  ] as const)
    it(`leaves ${what} alone`, () => expect(found(text)).to.equal(undefined));
});

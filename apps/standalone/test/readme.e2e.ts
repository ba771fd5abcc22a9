import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { appProgram, runNode, temporaryFolder } from '@parley/testkit';

const root = join(import.meta.dirname, '../../..');
const main = appProgram('standalone');

describe('README', () => {
  it('shows examples that work as they stand', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, source = '']) => source);
    expect(examples).to.not.be.empty;
    const dataDir = join(await temporaryFolder(), 'data');
    const parley = runNode([main], { env: { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: dataDir } });
    await parley.line(/Parley is ready/);

    for (const example of examples) {
      const source = example.replace('.data/credentials.json', join(dataDir, 'credentials.json'));
      const talk = runNode(['--input-type=module', '--eval', source], { cwd: root });
      expect(await talk.ended, talk.output).to.equal(0);
      expect(talk.output).to.match(/\w+/);
    }

    parley.child.kill('SIGTERM');
    expect(await parley.ended).to.equal(0);
  });
});

import { readdirSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs, temporaryFolder, startStandalone, type Standalone } from '@parley/testkit';
import { PageRun } from './support/page-run.js';
import { guides, placeOf, snippetsOf } from './support/snippets.js';

const first = 'quick-start';
const others = readdirSync(guides)
  .map((name) => name.replace(/\.md$/, ''))
  .filter((name) => name !== first && snippetsOf(name).length > 0);

/** One server for all pages. The first page sets the variables that the others begin with; those run side by side. */
describe('the snippets of the guides', () => {
  needs('bash', 'curl', 'jq');
  let parley: Standalone;
  let folder: string;
  let variables: string;
  let outcomes: Map<string, Promise<string>>;
  const notRun: string[] = [];

  before(async () => {
    folder = await temporaryFolder();
    parley = await startStandalone({
      TOOL_EGRESS_ALLOW: 'localhost',
      REALTIME_INPUT_AUDIO_FORMATS: 'pcm16,g711_ulaw',
      REALTIME_OUTPUT_AUDIO_FORMATS: 'pcm16,g711_ulaw',
    });
    const start = join(folder, first);
    await mkdir(join(start, '.data'), { recursive: true });
    await copyFile(parley.credentialsFile, join(start, '.data/credentials.json'));
    variables = `export DATABASE_URL=${parley.databaseUrl}\n`;
    variables = await perform(first);
    outcomes = performAll(others);
  });
  after(async () => {
    await parley.stop();
    console.log(`Snippets that are checked and not run:\n${notRun.join('\n')}`);
  });

  it(`${first} sets the variables that the other pages use`, () => {
    for (const name of ['BASE_URL', 'ORG_ID', 'API_KEY', 'AGENT_ID'])
      expect(variables).to.match(new RegExp(`${name}="[^"]{8,}"`));
  });

  for (const page of others)
    it(`${page} works as it stands`, async () => {
      expect(await outcomes.get(page)).to.include('BASE_URL');
    });

  it('say why they are not run, where they are not', () => {
    const silent = [first, ...others]
      .flatMap(snippetsOf)
      .filter(({ attributes }) => attributes.get('no-run') === '')
      .map(placeOf);
    expect(silent).to.deep.equal([]);
  });

  /** A few at a time; a failure is told by the test of its page. */
  function performAll(pages: readonly string[]): Map<string, Promise<string>> {
    const lanes: Promise<unknown>[] = Array.from({ length: 4 }, () => Promise.resolve());
    return new Map(
      pages.map((page, at) => {
        const done = lanes[at % lanes.length]!.then(() => perform(page));
        lanes[at % lanes.length] = done.catch(() => undefined);
        return [page, done];
      }),
    );
  }

  async function perform(page: string): Promise<string> {
    const run = await PageRun.open(join(folder, page), variables, parley.internalPort);
    try {
      for (const snippet of snippetsOf(page)) {
        const outcome = await run.perform(snippet);
        if (outcome === 'run' || !['bash', 'js', 'python'].includes(snippet.language)) continue;
        const file = snippet.attributes.get('file');
        const reason = snippet.attributes.get('no-run') ?? snippet.attributes.get('setting');
        if (file === undefined || reason !== undefined)
          notRun.push(`  ${placeOf(snippet)}: ${reason ?? ''}`);
      }
      return await run.variables();
    } finally {
      await run.close();
    }
  }
});

import { writeFile } from 'node:fs/promises';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'chai';
import { apiVersion } from '#src/api.js';
import { asyncApiDocument, openApiDocument } from '@parley/protocol';
import { needs, programPath, runProgram, temporaryFolder, toolsFolder } from '@parley/testkit';

const root = resolve(import.meta.dirname, '../../..');

/** Both documents, in a folder. */
async function writeDocuments(): Promise<string> {
  const folder = await temporaryFolder();
  const documents = {
    'openapi.json': openApiDocument(apiVersion),
    'asyncapi.json': asyncApiDocument(apiVersion),
  };
  for (const [name, document] of Object.entries(documents))
    await writeFile(join(folder, name), JSON.stringify(document, null, 2));
  return folder;
}

/** Runs a tool that has to be content; what it says otherwise is the failure. */
async function passes(program: string, args: string[], env: Record<string, string> = {}) {
  const run = runProgram(program, args, { env });
  expect(await run.ended, run.output).to.equal(0);
  return run.output;
}

describe('Spectral', () => {
  needs('spectral');

  it('warns of nothing in either document', async () => {
    const folder = await writeDocuments();
    const documents = ['openapi.json', 'asyncapi.json'].map((name) => join(folder, name));
    const options = ['--fail-severity', 'hint', '--ruleset', join(root, '.spectral.yaml')];
    await passes(programPath('spectral'), ['lint', ...options, ...documents]);
  });
});

describe('openapi-typescript', () => {
  needs('openapi-typescript');

  it('makes types with which every kind of tool and answer can be written', async () => {
    const folder = await writeDocuments();
    const types = join(folder, 'parley.d.ts');
    await passes(programPath('openapi-typescript'), [join(folder, 'openapi.json'), '-o', types]);
    const program = join(folder, 'client.ts');
    await writeFile(program, typedClient);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const options = [
      '--ignoreConfig',
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ];
    await passes(process.execPath, [compiler, ...options, program]);
  });
});

const typedClient = `
import type { components, paths } from './parley.js';

type Schemas = components['schemas'];
const tools: Schemas['Tool'][] = [
  { kind: 'http', name: 'find', description: 'Finds.', method: 'GET', url: 'https://example.com' },
  { kind: 'mcp', name: 'crm', serverUrl: 'https://example.com/mcp' },
  { kind: 'subagent', name: 'expert', agentId: '3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11' },
  { kind: 'builtin', name: 'current_time' },
];
export const agent: Schemas['AgentInput'] = { name: 'Front desk', tools };
export const change: Schemas['AgentPatch'] = { voice: 'marin' };

export function targetOf(tool: Schemas['Tool']): string {
  switch (tool.kind) {
    case 'http':
      return tool.url;
    case 'mcp':
      return tool.serverUrl;
    case 'subagent':
      return tool.agentId;
    case 'builtin':
      return tool.name;
  }
}

type Ask = paths['/api/v1/Agent/{agentId}/question']['post'];
type Whole = Ask['responses'][200]['content']['application/json'];
type Pending = Ask['responses'][202]['content']['application/json'];
export const told = ({ status }: Whole): 'completed' => status;
export const waits = ({ status }: Pending): 'waitingForApproval' | 'inProgress' => status;
export const stream: Ask['responses'][200]['content']['text/event-stream'] = 'event: error';
export const wordsOf = (event: Schemas['AnswerEvent']): string =>
  event.type === 'response.text.delta' ? event.data.delta : event.type;

type Open = paths['/api/v1/Agent/{agentId}/realtime']['get']['parameters'];
export const opening: Open['query'] = { conversationId: 'x', sessionId: 'y', errors: 'close' };
`;

describe('openapi-python-client', () => {
  needs('openapi-python-client');

  it('makes a client without a warning, all of which can be imported', async () => {
    const folder = await writeDocuments();
    const program = programPath('openapi-python-client');
    // Its formatter and Python itself are installed beside it.
    const bin = dirname(realpathSync(program));
    const client = join(folder, 'parley_client');
    const said = await passes(
      program,
      [
        ...['generate', '--path', join(folder, 'openapi.json'), '--output-path', client],
        ...['--meta', 'none', '--fail-on-warning'],
      ],
      { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    );
    expect(said).not.to.match(/warning/i);
    await passes(join(bin, 'python'), ['-c', importAll], { PYTHONPATH: folder });
  });
});

const importAll = `
import importlib, pkgutil, parley_client
for module in pkgutil.walk_packages(parley_client.__path__, "parley_client."):
    importlib.import_module(module.name)
`;

describe('the parser of AsyncAPI', () => {
  needs('asyncapi-parser');

  it('has nothing to say of the document', async () => {
    const load = createRequire(join(toolsFolder(), 'contract/npm/package.json'));
    const { Parser } = load('@asyncapi/parser') as {
      Parser: new () => { parse(text: string): Promise<{ diagnostics: object[] }> };
    };
    const text = JSON.stringify(asyncApiDocument(apiVersion));
    const { diagnostics } = await new Parser().parse(text);
    expect(diagnostics, JSON.stringify(diagnostics, null, 2)).to.deep.equal([]);
  });
});

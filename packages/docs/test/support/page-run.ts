import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { transpileModule } from 'typescript';
import { parse as parseYaml } from 'yaml';
import { openApiDocument } from '@parley/protocol';
import { settings } from '@parley/service-kit';
import {
  appProgram,
  findProgram,
  freePort,
  runNode,
  runProgram,
  type RunningProgram,
} from '@parley/testkit';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { placeOf, type Snippet } from './snippets.js';

const root = join(import.meta.dirname, '../../../..');

/** Ports in the text of the guides; each run puts others in their place. */
const writtenPorts = { example: '4000', internal: '9090' };

/** Requests that are refused end the snippet, and the administrator's command line runs as it was built. */
const prelude = `
set -eo pipefail
curl() { command curl --fail-with-body --silent --show-error "$@"; }
npm() {
  case "$*" in
    "run admin -- "*) shift 3; node "${appProgram('admin')}" "$@" ;;
    "run --silent admin -- "*) shift 4; node "${appProgram('admin')}" "$@" ;;
    *) echo "The test does not run npm $*" >&2; return 1 ;;
  esac
}`;

export type Outcome = 'run' | 'checked';

/** The snippets of one page, one after the other, as its reader would paste them into one shell. */
export class PageRun {
  readonly #folder: string;
  readonly #ports: Record<keyof typeof writtenPorts, number>;
  readonly #variables: string;
  readonly #background: RunningProgram[] = [];

  private constructor(folder: string, ports: Record<keyof typeof writtenPorts, number>) {
    this.#folder = folder;
    this.#ports = ports;
    this.#variables = join(folder, '.variables');
  }

  /** `variables` is what an earlier page has exported. */
  static async open(folder: string, variables: string, internal: number): Promise<PageRun> {
    await mkdir(folder, { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const run = new PageRun(folder, { example: await freePort(), internal });
    await writeFile(run.#variables, variables);
    return run;
  }

  variables(): Promise<string> {
    return readFile(this.#variables, 'utf8');
  }

  async close(): Promise<void> {
    for (const program of this.#background.reverse()) await program.stop();
  }

  async perform(snippet: Snippet): Promise<Outcome> {
    const { attributes, language } = snippet;
    const code = snippet.code
      .replaceAll(writtenPorts.example, String(this.#ports.example))
      .replaceAll(writtenPorts.internal, String(this.#ports.internal));
    const file = attributes.get('file');
    if (file !== undefined) await writeFile(join(this.#folder, file), code);
    const setting = attributes.get('setting');
    const isOff = setting !== undefined && !Object.hasOwn(settings, setting);
    if (attributes.has('no-run') || isOff) return this.#check(snippet, code);
    switch (language) {
      case 'bash':
        return this.#bash(snippet, code);
      case 'js':
        return file === undefined ? this.#js(snippet, code) : this.#check(snippet, code);
      default:
        return this.#check(snippet, code);
    }
  }

  async #bash(snippet: Snippet, code: string): Promise<Outcome> {
    const { attributes } = snippet;
    const isBackground = attributes.has('background');
    const own = isBackground ? `exec ${code.trim()}` : `${code}\nexport -p > .variables`;
    const script = `${prelude}\nset -a\nsource ./.variables\n${own}`;
    const program = runProgram('bash', ['-c', script], { cwd: this.#folder });
    if (isBackground) {
      this.#background.push(program);
      await program.line(/./);
      return 'run';
    }
    await this.#expectEnd(snippet, program);
    return 'run';
  }

  async #js(snippet: Snippet, code: string): Promise<Outcome> {
    await writeFile(join(this.#folder, 'snippet.mjs'), code);
    const script = 'set -a; source ./.variables; exec node snippet.mjs';
    await this.#expectEnd(snippet, runProgram('bash', ['-c', script], { cwd: this.#folder }));
    return 'run';
  }

  async #expectEnd(snippet: Snippet, program: RunningProgram): Promise<void> {
    const status = await program.ended;
    const where = `${placeOf(snippet)}:\n${program.output}`;
    if (snippet.attributes.has('refused')) expect(status, where).not.to.equal(0);
    else expect(status, where).to.equal(0);
    const prints = snippet.attributes.get('prints');
    if (prints !== undefined) expect(program.output, where).to.match(new RegExp(prints, 'i'));
  }

  /** What is not run is at least written without a mistake. */
  async #check(snippet: Snippet, code: string): Promise<Outcome> {
    const where = placeOf(snippet);
    switch (snippet.language) {
      case 'bash':
        await succeeds(where, runProgram('bash', ['-n', '-c', code]));
        break;
      case 'js':
        await succeeds(where, runNode(['--input-type=module', '--check'], { input: code }));
        break;
      case 'ts': {
        const { diagnostics } = transpileModule(code, { reportDiagnostics: true });
        expect(diagnostics, where).to.deep.equal([]);
        break;
      }
      case 'python':
        if (findProgram('python3') !== undefined)
          await succeeds(where, runProgram('python3', ['-c', parsePython], { input: code }));
        break;
      case 'json':
        checkJson(snippet, code);
        break;
      case 'yaml':
        expect(parseYaml(code), where).to.be.an('object');
        break;
      default:
        expect(['html', 'text', 'nginx', 'caddy'], where).to.include(snippet.language);
    }
    return 'checked';
  }
}

const parsePython = 'import ast, sys; ast.parse(sys.stdin.read())';

async function succeeds(where: string, program: RunningProgram): Promise<void> {
  const status = await program.ended;
  expect(status, `${where}:\n${program.output}`).to.equal(0);
}

const contract = openApiDocument('test');
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(contract, 'contract');

function checkJson(snippet: Snippet, code: string): void {
  const value: unknown = JSON.parse(code);
  const name = snippet.attributes.get('schema');
  if (name === undefined) return void expect(value, placeOf(snippet)).to.be.an('object');
  const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
  expect(validate, `${placeOf(snippet)}: there is no schema ${name}`).to.be.a('function');
  void validate!(value);
  expect(validate!.errors ?? [], placeOf(snippet)).to.deep.equal([]);
}

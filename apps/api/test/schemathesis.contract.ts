import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs, programPath, runProgram, temporaryFolder } from '@parley/testkit';
import { QuestionStage } from './support/question-stage.js';

const hooks = join(import.meta.dirname, '../test/fixtures/schemathesis_hooks.py');

/** Any seed should pass; these always say the same. The examples are of each operation and phase. */
const { seeds, maxExamples } =
  process.env['PROOF_SCALE'] === '1'
    ? { seeds: [1, 2, 3, 4], maxExamples: 5 }
    : { seeds: [1], maxExamples: 3 };

/** Operations that name other resources or a time to come, or have rules between their fields: 400 although every field is right by itself. */
const referring = [
  ...['createAgent', 'replaceAgent', 'updateAgent', 'askQuestion', 'createRealtimeSession'],
  ...['createTask', 'replaceTask', 'updateTask', 'saveTaskByExternalId'],
  ...['createConnection', 'updateConnection', 'createWebhook', 'updateWebhook'],
  ...['createApiKey', 'updateApiKey', 'getUsage'],
];

describe('schemathesis', function () {
  needs('schemathesis');
  // Thousands of requests: a minute each on a quiet machine.
  this.timeout(600_000);
  let stage: QuestionStage;
  before(async () => {
    stage = await QuestionStage.open({ questionTimeoutSeconds: 5 });
  });
  after(() => stage.close());

  const check = async (phases: string, seed: number, more: readonly string[] = []) => {
    const { id, key } = await stage.api.organization();
    // It remembers in its folder what it has found, and would find it again: each run has its own.
    const cwd = await temporaryFolder();
    await cp(hooks, join(cwd, 'hooks.py'));
    await writeFile(join(cwd, 'schemathesis.toml'), `hooks = "hooks.py"\n${exceptions}`);
    const args = [
      ...['run', `${stage.api.url}/api/v1/openapi.json`],
      ...['--header', `X-Api-Key: ${key}`, '--header', `X-Org-Id: ${id}`],
      ...['--checks', 'all', '--phases', phases, '--workers', '1'],
      ...['--seed', String(seed), '--max-examples', String(maxExamples)],
      ...['--suppress-health-check', 'all', '--no-color', ...more],
    ];
    const run = runProgram(programPath('schemathesis'), args, { cwd });
    const code = await run.ended;
    const errors = stage.api.logLines.filter((line) => line.includes('"level":"error"'));
    expect(code, [run.output, ...errors].join('\n')).to.equal(0);
  };

  // Each of its thousands of requests would be sent twice more without a key, which the other phases do often enough.
  it('finds nothing at the bounds of what the contract states', () =>
    check('coverage', 1, ['--exclude-checks', 'ignored_auth']));

  for (const seed of seeds)
    it(`finds nothing in examples, in anything, and in sequences of requests (seed ${seed})`, () =>
      check('examples,fuzzing,stateful', seed));
});

/** What it holds against the service and is wrong about, each with the reason. */
const exceptions = `
[generation]
# A text may be anything but NUL. That holds for keys too, which no schema can say.
allow-x00 = false

[checks.positive_data_acceptance]
# 412 and 422 depend on what was sent before with If-Match and Idempotency-Key.
expected-statuses = ["2xx", 401, 403, 404, 409, 412, 422, 429, 502]

[[operations]]
# It cannot speak WebSocket: without the handshake every answer is 426.
include-operation-id = "openRealtimeSession"
enabled = false

[[operations]]
# Its answer does not end.
include-operation-id = "listenToEvents"
enabled = false

[[operations]]
# Nobody has signed in here: that is tested with a browser's requests.
include-operation-id = ["signIn", "signOut", "getMe"]
enabled = false

[[operations]]
# What the file holds decides.
include-operation-id = "uploadTemporaryFile"
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 415, 422, 429]

${referring
  .map(
    (id) => `[[operations]]
include-operation-id = "${id}"
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 412, 422, 429, 502]
`,
  )
  .join('\n')}`;

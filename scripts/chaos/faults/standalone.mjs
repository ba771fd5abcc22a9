// `npm start` on its embedded engines: no cluster, and nobody else to continue. A row of this kind
// does everything itself (`alone`).
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { appProgram, runNode, temporaryFolder, waitFor } from '@parley/testkit';
import { listeningPort } from '../../../deploy/dist-test/support/app-process.js';
import { createRest, mayRetry } from '../rest.mjs';

const kills = 50;
const writesBetween = 5;

export const standalone = {
  'standalone killed 50 times': {
    what: 'kill -9 of standalone in the middle of writes, and a start on the same data, 50 times',
    alone: killOften,
  },
  'standalone with a full disk': {
    what: 'the disk of the embedded PostgreSQL is full for a while',
    needs: process.getuid() === 0 ? undefined : 'root, to mount a small disk',
    alone: fillDisk,
  },
};

async function killOften({ random, progress }) {
  const dataDir = join(await temporaryFolder(), 'data');
  const books = new Books();
  let server;
  for (let round = 0; round < kills; round += 1) {
    server = await start(dataDir);
    const busy = books.write(server.ask, random);
    await waitFor(() => books.sinceStart(round) >= writesBetween, { what: 'some writes' });
    await delay(random.between(0, 100));
    await server.kill();
    books.stop();
    await busy;
    if (round % 10 === 9) progress(`  killed ${round + 1} times, ${books.accepted.size} writes`);
  }
  server = await start(dataDir);
  const broken = await books.check(server.ask);
  await server.stop();
  broken.push(...(await leftBehind(dataDir)));
  return books.row(broken);
}

async function fillDisk({ random, progress }) {
  const folder = join(await temporaryFolder(), 'disk');
  mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=711', 'tmpfs', folder]);
  try {
    return await onSmallDisk({ folder, random, progress });
  } finally {
    execFileSync('umount', ['--lazy', folder]);
  }
}

async function onSmallDisk({ folder, random, progress }) {
  const [dataDir, ballast] = [join(folder, 'data'), join(folder, 'ballast')];
  const books = new Books();
  let server = await start(dataDir);
  let busy = books.write(server.ask, random);
  await waitFor(() => books.accepted.size >= writesBetween, { what: 'some writes' });
  const { bavail, bsize } = statfsSync(folder);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize));
  const refused = await waitFor(() => books.refused.size, {
    ...{ what: 'a write to be refused', timeoutMs: 60_000 },
  }).catch(() => 0);
  progress(`  ${refused} writes refused while the disk was full; alive: ${server.isAlive()}`);
  await delay(3000);
  rmSync(ballast);
  books.stop();
  await busy;
  // As an orchestrator would, if it ended.
  if (!server.isAlive()) server = await start(dataDir);
  const before = books.accepted.size;
  busy = books.write(server.ask, random);
  const isBack = await waitFor(() => books.accepted.size > before, {
    ...{ what: 'writes to be accepted again', timeoutMs: 60_000 },
  }).then(
    () => true,
    () => false,
  );
  books.stop();
  await busy;
  const broken = await books.check(server.ask);
  if (!isBack) broken.push({ name: 'writes are accepted again', reasons: [server.lastWords()] });
  await server.stop();
  return books.row(broken);
}

/** What was written, and what standalone has said about it. */
class Books {
  accepted = new Map();
  refused = new Set();
  #marks = new Map();
  #isOver = false;
  #number = 0;

  async write(ask, random) {
    this.#isOver = false;
    while (!this.#isOver) {
      const [title, key] = [`task ${(this.#number += 1)}`, random.uuid()];
      const answer = await ask('POST', '/Task', { body: { title }, key });
      if (answer.status === 201) this.accepted.set(title, answer.body.id);
      else if (mayRetry(answer)) this.refused.add(title);
      else throw new Error(`${answer.status} for a write: ${JSON.stringify(answer.body)}`);
      await delay(20);
    }
  }

  stop() {
    this.#isOver = true;
  }

  /** How many were accepted since this round was first asked about. */
  sinceStart(round) {
    if (!this.#marks.has(round)) this.#marks.set(round, this.accepted.size);
    return this.accepted.size - this.#marks.get(round);
  }

  async check(ask) {
    const stored = new Map();
    for (let offset = 0; ; offset += 200) {
      const { body } = await ask('GET', `/Task?Limit=200&Offset=${offset}`);
      for (const { id, title } of body.items) stored.set(title, [...(stored.get(title) ?? []), id]);
      if (body.items.length === 0) break;
    }
    const reasons = [...this.accepted].flatMap(([title, id]) => {
      const ids = stored.get(title) ?? [];
      return ids.length === 1 && ids[0] === id ? [] : [`${title}: ${ids.length} rows`];
    });
    const { status, body } = await ask('GET', '/AuditLog/verification');
    if (status !== 200 || body.ok === false)
      reasons.push(`the audit log: ${status} ${JSON.stringify(body)}`);
    return reasons.length === 0
      ? []
      : [{ name: 'no accepted write is lost, and the audit chain verifies', reasons }];
  }

  row(broken) {
    const lost = broken.length === 0 ? '0' : 'see promises';
    const { size } = this.accepted;
    const writes = `${size}/${size + this.refused.size}`;
    return { tried: `${size} writes`, survived: `${size} writes`, lost, writes, broken };
  }
}

async function start(dataDir) {
  const [PORT, INTERNAL_PORT] = [await listeningPort(), await listeningPort()].map(String);
  const env = { PORT, INTERNAL_PORT, DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000' };
  const program = runNode([appProgram('standalone')], { env });
  let isAlive = true;
  void program.ended.then(() => (isAlive = false));
  await program.line(/Parley is ready/);
  const credentials = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'));
  return {
    ask: createRest(`http://127.0.0.1:${PORT}`, credentials),
    isAlive: () => isAlive,
    lastWords: () => program.output.split('\n').slice(-5).join('\n'),
    kill: () => program.stop(),
    async stop() {
      program.child.kill('SIGINT');
      await program.ended;
    },
  };
}

/** Engines that outlived the last standalone. */
async function leftBehind(dataDir) {
  const isGone = () =>
    !execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).includes(dataDir);
  const gone = await waitFor(isGone, { what: 'the engines to end' }).then(
    () => true,
    () => false,
  );
  return gone ? [] : [{ name: 'nothing is left running', reasons: [`processes of ${dataDir}`] }];
}

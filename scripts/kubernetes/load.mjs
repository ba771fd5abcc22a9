// What uses the cluster while a scenario happens, run in a pod of it: sessions that stay, sessions
// that come and go, and a backend. The first line of its input has the settings; the next one ends the
// load. It writes lines of JSON: that everybody has arrived, how far it is, and exact counts.
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../chaos/client.mjs';
import { Ledger } from '../chaos/ledger.mjs';
import { randomOf } from '../chaos/random.mjs';
import { createRest } from '../chaos/rest.mjs';

const progressMs = 10_000;

const lines = createInterface({ input: process.stdin });
const [settings] = await once(lines, 'line');
const { apiUrl, realtimeUrl, organizationId, apiKey, ...size } = JSON.parse(settings);
const ended = Promise.race([once(lines, 'line'), once(lines, 'close')]);
const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

const ask = createRest(apiUrl, { organizationId, apiKey });
const ledger = new Ledger();
const stage = { origin: realtimeUrl, ask, agentId: await createAgent() };
const newcomers = { tried: 0, answered: 0, failures: [] };
const calls = { tried: 0, failures: [] };
const underWay = new Set();
let began = Date.now();
let isOver = false;
const sinceBegin = () => Date.now() - began;

const clients = Array.from({ length: size.sessions }, (_, n) => client(`client-${n}`, n % 2 === 0));
await Promise.all(clients.map((each) => each.open()));
began = Date.now();
const stalls = monitorEventLoopDelay();
stalls.enable();
tell({ kind: 'arrived', refused: clients.filter(({ isOpen }) => !isOpen).map(({ end }) => end) });
const progress = setInterval(report, progressMs);
const population = [
  ...clients.map(live),
  every(size.newcomerMs, comeAndGo),
  every(size.callMs, call),
];
await ended;
isOver = true;
await Promise.all(population);
await Promise.all(underWay);
clearInterval(progress);
await Promise.all(clients.filter(({ isOpen }) => isOpen).map((each) => each.turn()));
await Promise.all(clients.map((each) => each.leave()));
const left = await nobodyIsListed();
tell({
  kind: 'result',
  clients: clients.map(({ name, resumable, conversationId, end, turns, restores }) => ({
    ...{ name, resumable, conversationId, end, turns, restores },
    forgotten: ledger.forgotten.filter((turn) => turn.client.name === name).length,
  })),
  ...{ newcomers, calls, left, stalledMs: stalls.max / 1e6 },
  surprises: ledger.surprises,
  repeated: ledger.repeated,
});
process.exit();

async function createAgent() {
  const { status, body } = await ask('POST', '/Agent', { body: { name: 'Trial' } });
  if (status !== 201) throw new Error(`no agent: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

function client(name, resumable) {
  return new Client({ name, resumable, random: randomOf(size.seed, name), stage, ledger });
}

async function live(each) {
  while (!isOver && each.isOpen) {
    await each.turn();
    await delay(each.random.between(500, 1500));
  }
}

/** Begins one after the other, whether the earlier ones have ended or not. */
async function every(milliseconds, begin) {
  while (!isOver) {
    const running = begin();
    underWay.add(running);
    void running.then(() => underWay.delete(running));
    await delay(milliseconds);
  }
}

async function comeAndGo() {
  const at = sinceBegin();
  newcomers.tried += 1;
  const visitor = client(`visitor-${newcomers.tried}`, false);
  const isAnswered = (await visitor.open()) && (await visitor.turn());
  if (isAnswered) newcomers.answered += 1;
  else newcomers.failures.push({ at, why: String(visitor.end ?? 'no answer') });
  await visitor.leave();
}

/** Reads and writes in turns. Nothing is repeated: what fails, counts. */
async function call() {
  const at = sinceBegin();
  calls.tried += 1;
  const title = `task-${calls.tried}`;
  const { status, body } =
    calls.tried % 2 === 0
      ? await ask('POST', '/Task', { body: { title } })
      : await ask('GET', `/Agent/${stage.agentId}`);
  if (status !== 200 && status !== 201)
    calls.failures.push({ at, why: status === 0 ? `no answer: ${body}` : String(status) });
}

/** What is still listed as live a minute after everybody has left. */
async function nobodyIsListed() {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { status, body } = await ask('GET', '/RealtimeSession');
    if (status === 200 && body.total === 0) return 0;
    if (Date.now() > deadline) return status === 200 ? body.total : `status ${status}`;
    await delay(500);
  }
}

function report() {
  const open = clients.filter(({ isOpen }) => isOpen).length;
  tell({
    kind: 'progress',
    text: `${open} of ${clients.length} sessions open, ${newcomers.answered} of ${newcomers.tried} new ones answered, ${calls.failures.length} of ${calls.tried} calls failed`,
  });
}

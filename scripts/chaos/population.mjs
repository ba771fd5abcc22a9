// Everybody who uses the cluster while it fails: end users who talk and approve, newcomers who come
// and go, and a backend that writes and asks. What each of them does next is decided by the seed.
import { setTimeout as delay } from 'node:timers/promises';
import { inParallel } from '../../deploy/dist-test/support/proof-scale.js';
import { Client } from './client.mjs';
import { Ledger } from './ledger.mjs';
import { randomOf } from './random.mjs';
import { mayRetry } from './rest.mjs';

const turnKinds = { talk: 6, note: 2, pay: 2 };
/** What happens to a call that waits for a person. */
const wishes = { approve: 5, reject: 2, 'approve on the socket': 2, expire: 1 };
const attemptMs = 40_000;

export class Population {
  ledger = new Ledger();
  clients = [];
  newcomers = { tried: 0, opened: 0, refusals: new Map() };
  #stage;
  #seed;
  #busy = [];
  #isOver = false;
  #numbers = 0;
  #pace = 1;

  constructor(stage, { seed, name }) {
    this.#stage = stage;
    this.#seed = `${seed}/${name}`;
    this.name = name;
  }

  /**
   * Opens the sessions, every other one resumable, and begins. With a pace, everybody takes so much
   * more time; those that are `renewing` open another session when theirs has ended.
   */
  async arrive(size, { pace = 1, renewing = false } = {}) {
    this.#pace = pace;
    for (let n = 0; n < size; n += 1) this.clients.push(this.#client(`client-${n}`, n % 2 === 0));
    const opened = await inParallel({ count: size, width: 40 }, (n) => this.clients[n].open());
    const refused = this.clients.filter((_, n) => !opened[n]);
    if (refused.length > 0)
      throw new Error(`nobody was to be refused before the fault: ${refused[0].end}`);
    this.#busy.push(...this.clients.map((_, n) => this.#live(n, { renewing })));
    for (const n of [0, 1]) this.#busy.push(this.#write(`writer-${n}`));
    this.#busy.push(this.#ask('asker-0'), this.#comeAndGo('newcomer-0'));
  }

  /** Ends the load. Resolves when nothing is under way any more. */
  async rest() {
    this.#isOver = true;
    await Promise.all(this.#busy);
  }

  /** Those who answer now survived. */
  async probe() {
    const open = this.clients.filter(({ isOpen }) => isOpen);
    await Promise.all(open.map((client) => client.turn()));
  }

  async leave() {
    this.#isOver = true;
    await Promise.all(this.clients.map((client) => client.leave()));
    await Promise.all(this.#busy);
  }

  #client(name, resumable) {
    const random = randomOf(this.#seed, name);
    return new Client({
      ...{ name: `${this.name}/${name}`, resumable, random },
      ...{ stage: this.#stage, ledger: this.ledger },
    });
  }

  #number() {
    return (this.#numbers += 1);
  }

  /** Talks, has notes taken, and pays bills, until it is over. */
  async #live(n, { renewing }) {
    let client = this.clients[n];
    const { random, resumable } = client;
    while (!this.#isOver && (client.isOpen || renewing)) {
      if (!client.isOpen) {
        client = this.clients[n] = this.#client(`client-${n}-${this.#number()}`, resumable);
        await client.open();
      }
      const kind = random.weighed(turnKinds);
      if (kind === 'talk') await client.turn();
      else await client.turn(() => this.#call(client, kind));
      await delay(random.between(200, 1200) * this.#pace);
    }
  }

  /** The words that make the agent call a tool; an attempt has its own bill. */
  #call(client, kind) {
    const wish = kind === 'note' ? 'none' : client.random.weighed(wishes);
    const bill = this.ledger.bill(`${this.name}-${this.#number()}`, wish);
    if (kind === 'pay') {
      const restores = client.restores;
      const waiting = ({ type, data }) =>
        type === 'approval.waiting' && client.billOf.get(data.callId) === bill;
      const asked = client.event(waiting, attemptMs, () => client.restores > restores);
      this.#busy.push(
        asked.then(
          (event) => event && this.#decide(client, bill, event.data),
          () => undefined,
        ),
      );
    }
    return `!call ${kind} {"bill":"${bill}"}`;
  }

  async #decide(client, bill, { callId }) {
    const entry = this.ledger.bills.get(bill);
    if (entry.wish === 'approve on the socket') client.send({ type: 'approval.approve', callId });
    if (entry.wish === 'approve' || entry.wish === 'reject')
      await this.#decideByRest(entry, callId);
  }

  async #decideByRest(entry, id) {
    await this.#until(async () => {
      const answer = await this.#stage.ask('POST', `/Approval/${id}/${entry.wish}`);
      if (answer.status === 200) entry.accepted = entry.wish;
      else if (!mayRetry(answer) && answer.status !== 409 && answer.status !== 404)
        this.ledger.surprises.push(`${answer.status} for a decision`);
      return !mayRetry(answer);
    });
  }

  /** Makes tasks, each until it is accepted, under a key of its own. */
  async #write(name) {
    const random = randomOf(this.#seed, name);
    while (!this.#isOver) {
      const [title, key] = [`${this.name}-${name}-${this.#number()}`, random.uuid()];
      this.ledger.writes.set(title, undefined);
      await this.#until(async () => {
        const answer = await this.#stage.ask('POST', '/Task', { body: { title }, key });
        if (answer.status === 201) this.ledger.writes.set(title, answer.body.id);
        else if (!mayRetry(answer) && answer.status !== 409)
          this.ledger.surprises.push(
            `${answer.status} for a write: ${JSON.stringify(answer.body)}`,
          );
        return answer.status === 201;
      });
      await delay(random.between(100, 400));
    }
  }

  /** Asks questions whose tool a person approves. */
  async #ask(name) {
    const random = randomOf(this.#seed, name);
    while (!this.#isOver) {
      const wish = random.pick(['approve', 'reject']);
      const bill = this.ledger.bill(`${this.name}-${this.#number()}`, wish);
      const request = { body: { question: `!call pay {"bill":"${bill}"}` }, key: random.uuid() };
      const path = `/Agent/${this.#stage.agentId}/question`;
      const answer = await this.#until(async () => {
        const reply = await this.#stage.ask('POST', path, request);
        if (reply.status > 202 && !mayRetry(reply) && reply.status !== 409)
          this.ledger.surprises.push(`${reply.status} for a question`);
        return reply.status === 200 || reply.status === 202 ? reply.body : undefined;
      });
      if (answer) this.ledger.questions.add(answer.messageId);
      for (const { id } of answer?.approvals ?? [])
        await this.#decideByRest(this.ledger.bills.get(bill), id);
      await delay(random.between(300, 900));
    }
  }

  /** New sessions: one turn each. Their tokens are tried a second time at once. */
  async #comeAndGo(name) {
    const random = randomOf(this.#seed, name);
    while (!this.#isOver) {
      const client = this.#client(`${name}-${this.#number()}`, random.next() < 0.3);
      this.newcomers.tried += 1;
      if (await client.open()) {
        this.newcomers.opened += 1;
        await client.turn();
      } else {
        const { refusals } = this.newcomers;
        refusals.set(client.end, (refusals.get(client.end) ?? 0) + 1);
      }
      await client.leave();
      await delay(random.between(200, 800));
    }
  }

  /** Tries until there is a result, or for so long; undefined then. */
  async #until(attempt) {
    const deadline = Date.now() + attemptMs;
    while (Date.now() < deadline) {
      const result = await attempt();
      if (result) return result;
      await delay(250);
    }
    return undefined;
  }
}

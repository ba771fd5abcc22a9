import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz, testRedis } from '@parley/testkit';
import { liveKeys, tokenKeys } from '#src/keys.js';
import { createLiveSessions, type LiveSession } from '#src/live-sessions.js';
import { connectRedis } from '#src/redis-client.js';
import { createSessionTokens, hashSessionToken, type SessionTicket } from '#src/session-tokens.js';
import type { Redis } from '#src/topology.js';
import { ticket } from './support/ticket.js';

/** One command of a sequence; the numbers choose among what there is. */
type Command =
  | { readonly do: 'issue'; readonly organization: number; readonly seconds: 0 | 3600 }
  | { readonly do: 'issueWithin'; readonly organization: number; readonly most: number }
  | {
      readonly do: 'consume';
      readonly token: number;
      readonly attempt: number;
      readonly enters: boolean;
    }
  | { readonly do: 'loseReceipt' | 'loseTombstone'; readonly token: number }
  | { readonly do: 'enter'; readonly session: number; readonly limit: number }
  | { readonly do: 'beat'; readonly sessions: readonly number[] }
  | { readonly do: 'silence' | 'forget' | 'giveUp' | 'find'; readonly session: number }
  | { readonly do: 'revoke'; readonly session: number; readonly organization: number }
  | { readonly do: 'look'; readonly organization: number };

const organizations = 2;
const sessions = 5;
const few = fc.nat(organizations - 1);
const one = fc.nat(sessions - 1);
const anyToken = fc.nat(1);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('issue' as const),
    organization: few,
    seconds: fc.constantFrom(0 as const, 3600 as const, 3600 as const),
  }),
  fc.record({ do: fc.constant('issueWithin' as const), organization: few, most: fc.nat(3) }),
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('consume' as const),
      token: anyToken,
      attempt: few,
      enters: fc.boolean(),
    }),
  },
  fc.record({
    do: fc.constantFrom('loseReceipt' as const, 'loseTombstone' as const),
    token: anyToken,
  }),
  fc.record({ do: fc.constant('enter' as const), session: one, limit: fc.nat(3) }),
  fc.record({ do: fc.constant('beat' as const), sessions: fc.uniqueArray(one, { maxLength: 4 }) }),
  fc.record({
    do: fc.constantFrom('silence' as const, 'forget' as const, 'giveUp' as const, 'find' as const),
    session: one,
  }),
  fc.record({ do: fc.constant('revoke' as const), session: one, organization: few }),
  fc.record({ do: fc.constant('look' as const), organization: few }),
);

/** What the scripts are to do, in plain words: a registry, tokens, and no Redis. */
class Model {
  readonly tokens: {
    state: 'fresh' | 'stale' | 'consumed' | 'expired' | 'gone';
    by?: string;
    receipt: boolean;
    organization: string;
  }[] = [];
  readonly registered = new Map<string, { session: LiveSession; silent: boolean }>();
  readonly revoked = new Set<string>();

  live(organizationId: string): LiveSession[] {
    return [...this.registered.values()]
      .filter(({ session, silent }) => session.organizationId === organizationId && !silent)
      .map(({ session }) => session);
  }

  of(organizationId: string): number {
    return [...this.registered.values()].filter(
      ({ session }) => session.organizationId === organizationId,
    ).length;
  }

  consume(at: number, attempt: string): string {
    const token = this.tokens[at]!;
    if (token.state === 'fresh')
      Object.assign(token, { state: 'consumed', by: attempt, receipt: true });
    else if (token.state === 'stale') Object.assign(token, { state: 'expired', by: attempt });
    else if (token.state === 'gone') return 'unknown';
    else if (!(token.state === 'consumed' && token.by === attempt && token.receipt))
      return token.state;
    return token.state === 'consumed' ? 'redeemed' : token.state;
  }

  put(session: LiveSession): void {
    this.registered.set(session.id, { session, silent: false });
  }
}

describe('the scripts of tokens and live sessions', () => {
  let redis: Redis;
  before(async () => {
    const { url } = await testRedis();
    redis = await connectRedis({ url, name: 'test' });
  });
  after(() => redis.disconnect());

  it('do with any sequence of commands what a plain model does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }),
        async (commands) => {
          const issue = { do: 'issue', organization: 0, seconds: 3600 } as const;
          await follow([issue, issue, ...commands]);
        },
      ),
      fuzz(60),
    );
  });

  /** Sequences that went wrong once, or that are easily got wrong. */
  const kept: Record<string, Command[]> = {
    'a session that was given up and beats again': [
      { do: 'beat', sessions: [0] },
      { do: 'giveUp', session: 0 },
      { do: 'look', organization: 0 },
      { do: 'beat', sessions: [0] },
    ],
    'a token that is redeemed again by its winner, and by others after the receipt is gone': [
      { do: 'issue', organization: 0, seconds: 3600 },
      { do: 'consume', token: 0, attempt: 0, enters: true },
      { do: 'consume', token: 0, attempt: 0, enters: true },
      { do: 'consume', token: 0, attempt: 1, enters: true },
      { do: 'loseReceipt', token: 0 },
      { do: 'consume', token: 0, attempt: 0, enters: true },
    ],
    'a full organization whose sessions fall silent': [
      { do: 'enter', session: 0, limit: 1 },
      { do: 'enter', session: 2, limit: 1 },
      { do: 'silence', session: 0 },
      { do: 'enter', session: 2, limit: 1 },
      { do: 'revoke', session: 0, organization: 0 },
    ],
  };
  for (const [title, commands] of Object.entries(kept))
    it(`do so with ${title}`, async () => {
      expect(await follow(commands)).to.equal(commands.length);
    });

  /** Runs the commands on both, comparing each answer; all ids are new. */
  async function follow(commands: readonly Command[]): Promise<number> {
    const tokens = createSessionTokens(redis);
    const live = createLiveSessions(redis);
    const model = new Model();
    const given: string[] = [];
    const places = Array.from({ length: organizations }, () => randomUUID());
    const own = Array.from({ length: sessions }, (_, n): LiveSession => ({
      id: randomUUID(),
      organizationId: places[n % organizations]!,
      agentId: ticket.agentId,
      conversationId: ticket.conversationId,
      pod: `pod-${n}`,
      startedAt: new Date(n).toISOString(),
    }));
    const ticketOf = (organizationId: string): SessionTicket => ({ ...ticket, organizationId });
    const issued = (organization: string, token: string, seconds: number) => {
      given.push(token);
      model.tokens.push({ state: seconds > 0 ? 'fresh' : 'stale', receipt: false, organization });
    };
    const keysOf = (token: string) => tokenKeys(hashSessionToken(token).toString('hex'));

    const run: { [K in Command['do']]: (given: Extract<Command, { do: K }>) => Promise<void> } = {
      async issue({ organization, seconds }) {
        const id = places[organization]!;
        issued(id, (await tokens.issue(ticketOf(id), seconds)).token, seconds);
      },
      async issueWithin({ organization, most }) {
        const id = places[organization]!;
        const found = await tokens.issueWithin(most, ticketOf(id), 3600);
        expect(found !== undefined, 'issued').to.equal(model.live(id).length < most);
        if (found) issued(id, found.token, 3600);
      },
      async consume({ token, attempt, enters }) {
        const text = given[token];
        if (text === undefined) return;
        const { organization } = model.tokens[token]!;
        // An attempt is one connection of its own to one token.
        const id = `${own[attempt]!.id}-${token}`;
        const place = enters ? { pod: 'pod', startedAt: new Date(0).toISOString() } : undefined;
        const found = await tokens.consume(hashSessionToken(text), id, place);
        expect(found.outcome).to.equal(model.consume(token, id));
        if (found.outcome !== 'redeemed') return;
        expect(found.ticket).to.deep.equal(ticketOf(organization));
        if (!place) return;
        const { agentId, conversationId } = ticket;
        model.put({ id, organizationId: organization, agentId, conversationId, ...place });
        expect(found.registered).to.equal(model.of(organization));
      },
      async loseReceipt({ token }) {
        const text = given[token];
        if (text === undefined) return;
        await redis.del(keysOf(text).receipt);
        model.tokens[token]!.receipt = false;
      },
      async loseTombstone({ token }) {
        const text = given[token];
        if (text === undefined) return;
        await redis.del(keysOf(text).tombstone);
        const kept = model.tokens[token]!;
        if (kept.state === 'consumed' || kept.state === 'expired') kept.state = 'gone';
      },
      async enter({ session, limit }) {
        const entering = own[session]!;
        const { id, organizationId } = entering;
        const fits =
          model.registered.has(id) ||
          model.of(organizationId) < limit ||
          model.live(organizationId).length < limit;
        expect(await live.enter(entering, limit), 'entered').to.equal(fits);
        if (fits) model.put(entering);
      },
      async beat({ sessions: chosen }) {
        const beating = chosen.map((n) => ({ ...own[n]!, pod: 'p' }));
        const revoked = await live.beat('p', beating);
        expect(revoked).to.have.members(
          beating.map(({ id }) => id).filter((id) => model.revoked.has(id)),
        );
        for (const session of beating) model.put(session);
      },
      async silence({ session }) {
        const { id } = own[session]!;
        const known = model.registered.get(id);
        if (!known) return;
        await redis.zincrby(liveKeys.beats, -20_000, id);
        known.silent = true;
      },
      async forget({ session }) {
        await live.forget(own[session]!);
        model.registered.delete(own[session]!.id);
      },
      async giveUp({ session }) {
        await live.giveUp(own[session]!);
        model.registered.delete(own[session]!.id);
        model.revoked.add(own[session]!.id);
      },
      async find({ session }) {
        const { id } = own[session]!;
        const known = model.registered.get(id);
        expect(await live.find(id)).to.deep.equal(known?.session);
        expect(await live.isSilent(id), 'silent').to.equal(known?.silent === true);
      },
      async revoke({ session, organization }) {
        const { id } = own[session]!;
        const isLive = model.live(places[organization]!).some((each) => each.id === id);
        expect(await live.revoke(places[organization]!, id), 'revoked').to.equal(isLive);
        if (isLive) model.revoked.add(id);
      },
      async look({ organization }) {
        const expected = model.live(places[organization]!);
        expect(await live.count(places[organization]!)).to.equal(expected.length);
        const { items, total } = await live.list(places[organization]!, { offset: 0, limit: 99 });
        expect(total).to.equal(expected.length);
        expect(items).to.have.deep.members(expected);
      },
    };
    for (const each of commands) await run[each.do](each as never);
    for (const organization of places.keys()) await run.look({ do: 'look', organization });
    for (const { session } of model.registered.values()) await live.forget(session);
    expect(await redis.exists(...places.map(liveKeys.ofOrganization)), 'left behind').to.equal(0);
    return commands.length;
  }
});

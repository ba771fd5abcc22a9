// What holds after every fault, once everybody has left. Each promise answers with the reasons why
// it does not hold; most may take a while until the sweeps have run.
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { listOrganizations, verifyAudit } from '@parley/database';
import { inParallel } from '../../deploy/dist-test/support/proof-scale.js';
import { leaks } from './baseline.mjs';

const boundMs = 120_000;
/** So few that a reader still sees what happened. */
const shown = 5;

/** In the order in which they are checked. `settles`: it may only hold after a while. */
export const promises = {
  'no process ends by itself': {
    check: ({ stage }) => stage.crashes.splice(0),
  },
  'nobody gets an answer that was not to be expected': {
    check: ({ ledger }) => [...ledger.surprises],
  },
  'every turn of a session that survives is answered': {
    check: ({ ledger }) =>
      ledger.forgotten
        .filter(({ client }) => client.end === 1000)
        .map(({ client, turn }) => `not the turn ${turn} of ${client.name}`),
  },
  'a token opens one session at most': {
    check: tokensOpenOnce,
  },
  'nothing is announced twice to one client': {
    check: ({ ledger }) => [...ledger.repeated],
  },
  'nothing that waits is forgotten': {
    settles: true,
    check: nothingWaits,
  },
  'an approved tool runs once or is reported unknown, any other never': {
    check: toolsRunOnce,
  },
  'every announced message has its row': {
    check: announcedHaveRows,
  },
  'no accepted write is lost, and none is done twice': {
    check: writesAreKept,
  },
  'no session is listed or recorded as open once it is over': {
    settles: true,
    check: noneIsLive,
  },
  'another organization notices nothing': {
    check: othersSeeNothing,
  },
  'every audit chain verifies': {
    check: auditVerifies,
  },
  'sockets, timers, memory and Redis keys return to the baseline': {
    settles: true,
    check: ({ stage, baseline }) => (baseline ? leaks(stage, baseline) : []),
  },
};

/** The promises that are broken: name and reasons. */
export async function brokenPromises(context) {
  const broken = [];
  for (const [name, { check, settles }] of Object.entries(promises)) {
    const deadline = Date.now() + (settles ? boundMs : 0);
    let reasons = await check(context);
    while (reasons.length > 0 && Date.now() < deadline) {
      await delay(500);
      reasons = await check(context);
    }
    const more = reasons.length > shown ? [`and ${reasons.length - shown} more`] : [];
    if (reasons.length > 0) broken.push({ name, reasons: [...reasons.slice(0, shown), ...more] });
  }
  return broken;
}

/** Tries every token again, twice at the same time. */
async function tokensOpenOnce({ stage, ledger }) {
  const found = await inParallel({ count: ledger.tokens.length, width: 8 }, async (n) => {
    const token = ledger.tokens[n];
    const again = await Promise.all([opens(stage, token), opens(stage, token)]);
    const times = token.opened + again.filter(Boolean).length;
    return times > 1 ? [`${times} times: ${token.path.slice(0, -35)}…`] : [];
  });
  return found.flat();
}

function opens({ origin }, { path }) {
  return new Promise((resolve) => {
    const socket = new WebSocket(origin.replace('http', 'ws') + path, { handshakeTimeout: 10_000 });
    const end = (opened) => {
      resolve(opened);
      socket.close(1000);
    };
    socket.on('open', () => end(true));
    socket.on('error', () => end(false));
  });
}

async function nothingWaits({ stage, ledger }) {
  const { rows: calls } = await stage.pool.query(
    `select name, approval, arguments ->> 'bill' as bill from tool_calls where finished_at is null`,
  );
  const { rows: runs } = await stage.pool.query(
    `select id, state from runs where state in ('open', 'waiting')`,
  );
  const { rows: answered } = await stage.pool.query(
    `select id, state from runs where id = any($1)`,
    [[...ledger.questions]],
  );
  const known = new Set(answered.map(({ id }) => id));
  return [
    ...calls.map(({ bill, approval }) => `the call for ${bill} (approval: ${approval})`),
    ...runs.map(({ id, state }) => `the question ${id} (${state})`),
    ...[...ledger.questions]
      .filter((id) => !known.has(id))
      .map((id) => `the question ${id} (gone)`),
  ];
}

async function toolsRunOnce({ stage, ledger }) {
  const { rows } = await stage.pool.query(
    `select arguments ->> 'bill' as bill, approval, status, started_at is not null as started,
       result::text as result from tool_calls where arguments ->> 'bill' = any($1)`,
    [[...ledger.bills.keys()]],
  );
  const byBill = grouped(rows);
  return [...ledger.bills].flatMap(([bill, { accepted }]) => {
    const runs = stage.tool.runs(bill);
    const calls = byBill.get(bill) ?? [];
    const told = `${bill} ran ${runs} times; ${JSON.stringify(calls)}`;
    const isOff = runs > 1 || calls.length > 1 || !agrees(runs, calls[0]);
    const isLost = accepted && calls[0]?.approval !== decided[accepted];
    return [...(isOff ? [told] : []), ...(isLost ? [`${accepted} was accepted, but ${told}`] : [])];
  });
}

const decided = { approve: 'approved', reject: 'rejected' };
const succeeded = 1;

/** Whether the record says what happened. */
function agrees(runs, call) {
  if (!call) return runs === 0;
  if (call.approval !== null && call.approval !== 'approved') return runs === 0;
  if (call.status === succeeded) return runs === 1;
  if (/unknown/.test(call.result)) return true;
  return call.started ? runs === 1 : runs === 0;
}

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.bill, [...(groups.get(row.bill) ?? []), row]);
  return groups;
}

async function announcedHaveRows({ stage, ledger }) {
  const ids = [...ledger.announced.keys()];
  const { rows } = await stage.pool.query('select id, content from messages where id = any($1)', [
    ids,
  ]);
  const stored = new Map(rows.map(({ id, content }) => [id, content]));
  return ids.flatMap((id) => {
    const said = ledger.announced.get(id);
    if (!stored.has(id)) return [`${id} has none`];
    return said !== undefined && said !== stored.get(id) ? [`${id} has other words`] : [];
  });
}

async function writesAreKept({ stage, ledger }) {
  const { rows } = await stage.pool.query('select id, title from tasks where title = any($1)', [
    [...ledger.writes.keys()],
  ]);
  const stored = new Map();
  for (const { id, title } of rows) stored.set(title, [...(stored.get(title) ?? []), id]);
  return [...ledger.writes].flatMap(([title, id]) => {
    const ids = stored.get(title) ?? [];
    if (ids.length > 1) return [`${title} was written ${ids.length} times`];
    return id !== undefined && ids[0] !== id ? [`${title} was accepted and is gone`] : [];
  });
}

async function noneIsLive({ stage }) {
  const listed = await stage.ask('GET', '/RealtimeSession');
  const { rows } = await stage.pool.query(
    'select id, started_at from realtime_sessions where ended_at is null',
  );
  return [
    ...(listed.body?.items ?? [{ id: `status ${listed.status}` }]).map(({ id }) => `listed: ${id}`),
    ...rows.map(({ id }) => `recorded as open: ${id}`),
  ];
}

async function othersSeeNothing({ stage }) {
  const lists = ['/Task', '/Conversation', '/RealtimeSession', '/Approval', '/Agent'];
  const seen = await Promise.all(lists.map((path) => stage.askAsOther('GET', path)));
  return seen.flatMap(({ status, body }, n) =>
    status === 200 && body.total === 0 ? [] : [`${lists[n]}: ${status} ${JSON.stringify(body)}`],
  );
}

async function auditVerifies({ stage }) {
  const organizations = await stage.database.asSystem(listOrganizations);
  const reasons = [];
  for (const { id } of organizations) {
    const verdict = await verifyAudit(stage.database, id);
    if (!verdict.ok) reasons.push(`${id} at ${verdict.sequence}: ${verdict.reason}`);
  }
  return reasons;
}

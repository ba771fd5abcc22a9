// One scenario: what was tried, what was lost, and which promises were broken.
import { setTimeout as delay } from 'node:timers/promises';

const warmUpMs = 3000;
/** How long things may still fail when everything is there again, and how long they must not then. */
const recoveryMs = 10_000;
const afterwardsMs = 10_000;
const attemptMs = 15_000;

export async function runScenario(scenario, context) {
  return scenario.unloaded ? runUnloaded(scenario, context) : runUnderLoad(scenario, context);
}

async function runUnloaded(scenario, context) {
  const { failure } = await attempt(scenario, context);
  return { broken: failure };
}

async function runUnderLoad(scenario, { kube, trial, progress }) {
  const load = await trial.load(progress);
  try {
    await delay(warmUpMs);
    const [owners, before] = [await kube.owners(), await kube.pods()];
    const from = load.elapsed();
    const { victim, failure } = await attempt(scenario, { kube, trial });
    await kube.settled();
    const until = load.elapsed() + recoveryMs;
    await delay(scenario.refused ? recoveryMs + afterwardsMs : warmUpMs);
    const result = await load.stop();
    const pods = await kube.pods();
    const context = { scenario, result, owners, victim, before, pods, from, until };
    return {
      ...countsOf(result),
      restarts: restartsOf(context).length,
      stalledMs: result.stalledMs,
      broken: [...failure, ...broken(context)],
    };
  } finally {
    load.abort();
  }
}

async function attempt(scenario, context) {
  try {
    return { victim: await scenario.happen(context), failure: [] };
  } catch (error) {
    return { failure: [error.message] };
  }
}

/** Whatever the scenario does not excuse. */
function broken(context) {
  const { scenario, result, pods } = context;
  const reasons = [
    ...sessionEnds(context),
    ...excess('new session', result.newcomers.failures, scenario.refused, context),
    ...excess('call', result.calls.failures, scenario.failed, context),
    ...unansweredTurns(context),
    ...result.surprises.map((what) => `unexpected: ${what}`),
    ...result.repeated.map((what) => `announced twice: ${what}`),
    ...(result.left === 0 ? [] : [`still listed as live after a minute: ${result.left}`]),
    ...unexpectedRestarts(context),
  ];
  const gateways = pods.filter(({ app }) => app === 'realtime-gateway').length;
  if (scenario.pods !== undefined && gateways !== scenario.pods)
    reasons.push(`${gateways} gateways instead of ${scenario.pods}`);
  return reasons;
}

function sessionEnds({ scenario, result, owners, victim }) {
  return result.clients.flatMap((client) => {
    const owner = owners.get(client.conversationId);
    const allowed = scenario.lost?.(client, { owner, victim: victim?.address });
    const kind = client.resumable ? 'resumable' : 'plain';
    const told = `${client.name} (${kind}) ended with ${client.end}`;
    if (client.end === 1000)
      return allowed === undefined || allowed.includes('none')
        ? []
        : [`${client.name} (${kind}) was to be lost`];
    return allowed?.includes(client.end) ? [] : [told];
  });
}

/** Of a session that survives, unless what it talked to was there and silent. */
function unansweredTurns({ scenario, result, owners, victim }) {
  return result.clients
    .filter(({ end, forgotten }) => end === 1000 && forgotten > 0)
    .filter(({ conversationId: id }) => !(scenario.silent && owners.get(id) === victim?.address))
    .map(({ name, forgotten }) => `${forgotten} turns of ${name} were not answered`);
}

/** Failures for another reason, or at another time. What fails may have begun a while before. */
function excess(what, failures, excused = [], { from, until }) {
  const isExcused = ({ at, why }) =>
    excused.some((reason) => why.includes(reason)) && at >= from - attemptMs && at <= until;
  return failures
    .filter((failure) => !isExcused(failure))
    .map(({ at, why }) => `a ${what} failed after ${Math.round((at - from) / 1000)} s: ${why}`);
}

function restartsOf({ before, pods }) {
  const known = new Map(before.map(({ uid, restarts }) => [uid, restarts]));
  return pods.filter(({ uid, restarts }) => restarts > (known.get(uid) ?? 0));
}

function unexpectedRestarts(context) {
  const left = [...(context.scenario.restarted ?? [])];
  return restartsOf(context).flatMap(({ app, name }) => {
    const excused = left.indexOf(app);
    if (excused >= 0) left.splice(excused, 1);
    return excused >= 0 ? [] : [`${name} was restarted`];
  });
}

function countsOf({ clients, newcomers, calls }) {
  const lost = clients.filter(({ end }) => end !== 1000);
  return {
    tried: clients.length,
    survived: clients.length - lost.length,
    closed: tally(lost.map(({ end }) => end)),
    continued: clients.filter(({ restores }) => restores > 0).length,
    newTried: newcomers.tried,
    newAnswered: newcomers.answered,
    newFailed: tally(newcomers.failures.map(({ why }) => why)),
    callsTried: calls.tried,
    callsFailed: tally(calls.failures.map(({ why }) => why)),
  };
}

/** 0, or how many for each reason. */
function tally(reasons) {
  const counts = new Map();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, count]) => `${count} × ${reason}`).join(', ') || '0';
}

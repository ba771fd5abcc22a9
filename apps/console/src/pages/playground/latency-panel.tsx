import { durationText } from '../../parts/words.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import { stages, totalOf, type ConnectTimes, type Stage, type TurnTimes } from './latency.js';
import { useCallPart } from './use-call.js';
import styles from './measures.module.css';

const names: Readonly<Record<Stage, string>> = {
  thinking: 'Waiting for the model',
  approval: 'Waiting for approval',
  tool: 'Tool',
  answer: 'Answering',
};

const asks: Readonly<Record<TurnTimes['by'], string>> = {
  voice: 'spoken',
  text: 'typed',
  agent: 'the agent’s own',
};

const latencyOf = (now: CallState) => now.latency;

/** Where the time went. The parts of each bar add up to its total. */
export function LatencyPanel({ call }: { readonly call: Call }) {
  const { connects, turns, open } = useCallPart(call, latencyOf);
  const shown = [...(open ? [open.turn] : []), ...turns.toReversed()].slice(0, 30);
  if (connects.length === 0)
    return <p className={styles.empty}>Timings appear here once a session opens.</p>;
  const longest = Math.max(1, ...shown.map(totalOf));
  return (
    <div className={styles.panel}>
      <h3>Connect</h3>
      {connects
        .toReversed()
        .slice(0, 3)
        .map((times) => (
          <Connect key={times.startedAt} times={times} />
        ))}
      <h3>Turns</h3>
      <ul className={styles.legend} aria-label="Legend">
        {stages.map((stage) => (
          <li key={stage} data-stage={stage}>
            {names[stage]}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles.note}>No turns yet.</p>}
      {shown.map((turn) => (
        <Turn key={turn.nth} turn={turn} longest={longest} />
      ))}
      <p className={styles.note}>
        Measured in this page, from the end of your turn to the last event of the answer.
      </p>
    </div>
  );
}

function Connect({ times }: { readonly times: ConnectTimes }) {
  const { startedAt, createdAt, openedAt } = times;
  if (createdAt === undefined || openedAt === undefined)
    return <p className={styles.note}>The session is not open yet.</p>;
  const parts = [
    { name: 'Create the session', stage: 'thinking', ms: createdAt - startedAt },
    { name: 'Open its socket and the provider’s', stage: 'answer', ms: openedAt - createdAt },
  ];
  return <Bars title="Session" parts={parts} scale={1} note="" />;
}

function Turn({ turn, longest }: { readonly turn: TurnTimes; readonly longest: number }) {
  const parts = stages.map((stage) => ({ name: names[stage], stage, ms: turn.spent[stage] }));
  const { firstText, firstAudio } = turn;
  const first = [
    firstText !== undefined && `First text after ${durationText(firstText)}`,
    firstAudio !== undefined && `first audio after ${durationText(firstAudio)}`,
    !turn.over && 'in progress',
    turn.cut && 'interrupted',
  ].filter(Boolean);
  return (
    <Bars
      title={`Turn ${turn.nth}, ${asks[turn.by]}`}
      parts={parts}
      scale={totalOf(turn) / longest}
      note={first.join(', ')}
    />
  );
}

type Part = { readonly name: string; readonly stage: string; readonly ms: number };

function Bars({
  title,
  parts,
  scale,
  note,
}: {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly scale: number;
  readonly note: string;
}) {
  const total = parts.reduce((sum, { ms }) => sum + ms, 0);
  const real = parts.filter(({ ms }) => ms > 0);
  return (
    <section className={styles.bars} aria-label={title}>
      <div className={styles.line}>
        <span>{title}</span>
        <strong>{durationText(total)}</strong>
      </div>
      <div className={styles.bar} style={{ width: `${Math.max(4, scale * 100)}%` }}>
        {real.map(({ stage, ms }) => (
          <i key={stage} data-stage={stage} style={{ flexGrow: ms }} />
        ))}
      </div>
      <dl className={styles.parts}>
        {real.map(({ name, stage, ms }) => (
          <div key={stage} data-stage={stage}>
            <dt>{name}</dt>
            <dd>{durationText(ms)}</dd>
          </div>
        ))}
      </dl>
      {note !== '' && <p className={styles.note}>{note}</p>}
    </section>
  );
}

import { lazy, Suspense, useState } from 'react';
import { Button } from './button.js';
import { Skeleton } from './page.js';
import styles from './chart.module.css';

export type Line = { readonly label: string; readonly values: readonly number[] };

export type ChartProps = {
  readonly title: string;
  /** The total, as text: "1,204 sessions". */
  readonly total: string;
  /** When each value's interval starts. */
  readonly times: readonly string[];
  /** "16 Nov" or "16 Nov, 13:00". */
  readonly timeText: (at: string) => string;
  /** At most four: each has its own colour and dash pattern. */
  readonly lines: readonly Line[];
  readonly valueText: (value: number) => string;
};

/** Distinguishes the lines without colour. */
export const dashes: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

// The chart library is loaded with the first chart.
const Canvas = lazy(async () => {
  const { ChartCanvas } = await import('./chart-canvas.js');
  return { default: ChartCanvas };
});

/** Lines over time, with a table of every value. */
export function Chart(props: ChartProps) {
  const { title, total, lines } = props;
  const [asTable, setAsTable] = useState(false);
  return (
    <section className={styles.card}>
      <div className={styles.head}>
        <div>
          <h2>{title}</h2>
          <span className={styles.total}>{total}</span>
        </div>
        <Button small look="ghost" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          Table<span className="visually-hidden"> of {title}</span>
        </Button>
      </div>
      {asTable ? (
        <Values {...props} />
      ) : (
        <>
          <div className={styles.place}>
            <Suspense fallback={<Skeleton height={220} />}>
              <Canvas {...props} />
            </Suspense>
          </div>
          {lines.length > 1 && <Legend lines={lines} />}
        </>
      )}
    </section>
  );
}

function Legend({ lines }: { readonly lines: readonly Line[] }) {
  return (
    <ul className={styles.legend}>
      {lines.map(({ label }, at) => (
        <li key={label}>
          <svg width="24" height="8" aria-hidden="true" className={styles[`line${at}`]}>
            <line
              x1="0"
              x2="24"
              y1="4"
              y2="4"
              stroke="currentColor"
              strokeWidth="2"
              strokeDasharray={dashes[at]?.join(' ')}
            />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  );
}

/** Newest first, so that today is at the top. */
function Values({ title, times, timeText, lines, valueText }: ChartProps) {
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label={`${title}, as a table`}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">From</th>
            {lines.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times
            .map((time, at) => (
              <tr key={time}>
                <th scope="row">{timeText(time)}</th>
                {lines.map(({ label, values }) => (
                  <td key={label}>{valueText(values[at] ?? 0)}</td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </div>
  );
}

/** The shape of a figure over time, shown next to the figure. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const points = values.map(
    (value, at) => `${(at / Math.max(1, values.length - 1)) * 100},${30 - (value / most) * 28}`,
  );
  return (
    <svg
      className={styles.spark}
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}

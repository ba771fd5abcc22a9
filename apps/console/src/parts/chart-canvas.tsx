import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { dashes, type ChartProps } from './chart.js';
import styles from './chart.module.css';

const height = 220;

/**
 * The chart's canvas. It is redrawn when the theme changes, because a canvas does not use CSS
 * variables.
 */
export function ChartCanvas(props: ChartProps) {
  const { title, total, times, timeText, lines, valueText } = props;
  const place = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number>();
  const theme = useThemeVersion();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(optionsOf(props, element, setHovered), dataOf(props), element);
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the texts of values and times are pure; what is drawn is in these
  }, [times, lines, theme]);
  const at = hovered === undefined ? undefined : times[hovered];
  return (
    <>
      <div ref={place} role="img" aria-label={`${title}: ${total}. The table has every value.`} />
      <p className={styles.tip} aria-hidden="true">
        {at !== undefined &&
          `${timeText(at)}: ${lines
            .map(
              ({ label, values }) =>
                `${valueText(values[hovered ?? 0] ?? 0)} ${label.toLowerCase()}`,
            )
            .join(', ')}`}
      </p>
    </>
  );
}

function dataOf({ times, lines }: ChartProps): uPlot.AlignedData {
  return [times.map((time) => Date.parse(time) / 1_000), ...lines.map(({ values }) => [...values])];
}

function optionsOf(
  { times, timeText, lines, valueText }: ChartProps,
  element: HTMLElement,
  onHover: (at: number | undefined) => void,
): uPlot.Options {
  const axis = {
    stroke: colourOf(element, styles.axis),
    grid: { stroke: colourOf(element, styles.grid), width: 1 },
    ticks: { show: false },
    font: '12px Inter Variable, sans-serif',
  };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    axes: [
      {
        ...axis,
        space: 72,
        incrs: stepsOf(times),
        values: (_plot, splits) =>
          splits.map((seconds) => timeText(new Date(seconds * 1_000).toISOString())),
      },
      { ...axis, size: 56, values: (_plot, values) => values.map(valueText) },
    ],
    series: [
      {},
      ...lines.map(({ label }, at) => ({
        label,
        stroke: colourOf(element, styles[`line${at}`]),
        width: 2,
        dash: [...(dashes[at] ?? [])],
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [(plot) => onHover(plot.cursor.idx ?? undefined)] },
  };
}

/** Intervals between labels: multiples of the data's interval, so that no label appears twice. */
function stepsOf([first, second]: readonly string[]): number[] {
  const step = second === undefined ? 86_400_000 : Date.parse(second) - Date.parse(first ?? '');
  return [1, 2, 3, 6, 7, 12, 14, 24, 30, 48, 90, 180].map((count) => (count * step) / 1_000);
}

/** The current value of a colour token, read from an element that has it. */
function colourOf(element: HTMLElement, className: string | undefined): string {
  const probe = document.createElement('span');
  probe.className = className ?? '';
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function useThemeVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const bump = () => setVersion((now) => now + 1);
    const watch = new MutationObserver(bump);
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', bump);
    return () => {
      watch.disconnect();
      system.removeEventListener('change', bump);
    };
  }, []);
  return version;
}

// What the measurements have in common: medians, quantiles, and how numbers are printed.

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The median of one field over all rounds. */
export function middle(rows, field) {
  return median(rows.map((row) => row[field]));
}

/** Rounds alternate between the targets, so that a ratio compares neighbours in time. */
export function ratio(rows, peers, field) {
  return median(rows.map((row, n) => row[field] / peers[n][field]));
}

export function shown(value) {
  return String(Number(value.toPrecision(3)));
}

export function times(value) {
  return `${value.toFixed(2)}x`;
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function progress(text) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

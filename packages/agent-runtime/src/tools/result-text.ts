import { findJsonHazard, isHttpUrl, storable } from '@parley/protocol';
import type { ToolResult } from './tool.js';

/** The limits of a result for the model, and of a text for people. */
const limits = { output: 32_768, text: 8192, label: 100 } as const;

/**
 * Text that the record can hold, truncated if it is too long; a note tells the model that there was
 * more.
 */
export function bounded(text: string, length: number = limits.output): string {
  const kept = storable(text);
  return kept.length <= length
    ? kept
    : `${storable(kept.slice(0, length))}\n[truncated: ${kept.length - length} more characters]`;
}

export function shownText(text: string): string {
  return bounded(text, limits.text);
}

/** Parses text that may be JSON: an object may specify what people see. */
export function resultOf(text: string): ToolResult {
  const value = jsonOf(text);
  const fields = typeof value === 'object' && value !== null ? (value as ResultFields) : {};
  const { text: shown, buttonLabel, buttonLink } = fields;
  return {
    status: 'succeeded',
    output: text,
    ...(typeof shown === 'string' && { text: shown }),
    ...(typeof buttonLabel === 'string' && { buttonLabel: buttonLabel.slice(0, limits.label) }),
    ...(typeof buttonLink === 'string' && isHttpUrl(buttonLink) && { buttonLink }),
  };
}

type ResultFields = { text?: unknown; buttonLabel?: unknown; buttonLink?: unknown };

/** The recorded form: the parsed value, if the text is JSON that PostgreSQL can store. */
export function recordedResult(output: string): unknown {
  const value = jsonOf(output);
  return value === undefined || findJsonHazard(output) !== undefined ? output : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

import type { ToolTrial } from '@parley/client/server';
import { Badge, type Tone } from '../../parts/badge.js';
import { CodeBlock } from '../../parts/code-block.js';
import { durationText } from '../../parts/words.js';
import { prettyJson } from './json.js';
import styles from './try-tool.module.css';

const endings: Readonly<Record<ToolTrial['result']['status'], { tone: Tone; words: string }>> = {
  succeeded: { tone: 'ok', words: 'Succeeded' },
  failed: { tone: 'danger', words: 'Failed' },
  refused: { tone: 'warn', words: 'Not run: the arguments are invalid' },
  timedOut: { tone: 'danger', words: 'Timed out' },
};

/** The request and the result of a trial, as the model sees them. */
export function TrialOutcome({ trial }: { readonly trial: ToolTrial }) {
  const { request, result, durationMs } = trial;
  const { tone, words } = endings[result.status];
  return (
    <div className={styles.outcome}>
      <div className={styles.actions}>
        <Badge tone={tone}>{words}</Badge>
        <span className={styles.help}>after {durationText(durationMs)}</span>
      </div>
      <div className={styles.sides}>
        <CodeBlock
          wrap
          label="The request as it was sent"
          snippets={[{ language: 'Request as it was sent', code: requestText(request) }]}
        />
        <CodeBlock
          wrap
          label="The result as the model sees it"
          snippets={[{ language: 'Result as the model sees it', code: readable(result.output) }]}
        />
      </div>
    </div>
  );
}

/** Formatted like HTTP. The service masks secrets, so they never get here. */
function requestText(request: ToolTrial['request']): string {
  if (!request) return 'No request was sent.';
  const { method, url, headers, body } = request;
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...head, ...(body === null ? [] : ['', readable(body)])].join('\n');
}

/** Pretty-prints JSON; anything else stays as it is. */
function readable(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? prettyJson(value) : text;
  } catch {
    return text === '' ? '(empty)' : text;
  }
}

import { ArrowDown, ArrowUp, Download, Pause, Play, Trash2 } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { Button, IconButton } from '../../parts/button.js';
import { JsonBlock } from '../../parts/code-block.js';
import { ChoiceFilter, Filters, SearchFilter } from '../../parts/filters.js';
import { countOf, countText, sizeText, timeOfDay } from '../../parts/words.js';
import type { Call } from './call.js';
import { filtered, jsonLines, maxEntries, type LogEntry, type Show } from './event-log.js';
import styles from './events-panel.module.css';

const shownAtOnce = 150;

const showOptions: readonly { value: Show; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'received', label: 'Received' },
  { value: 'sent', label: 'Sent' },
  { value: 'custom', label: 'Parley’s own' },
];

/** Every event on the session's socket, newest first. */
export function EventsPanel({ call }: { readonly call: Call }) {
  const [paused, setPaused] = useState(false);
  const [text, setText] = useState('');
  const [show, setShow] = useState<Show>('all');
  const [shown, setShown] = useState(shownAtOnce);
  const log = useSlowLog(call, paused);
  const found = filtered(log.entries, { text, show });
  const visible = found.slice(-shown).toReversed();
  return (
    <div className={styles.panel}>
      <Filters>
        <SearchFilter label="Find in events" value={text} onChange={setText} />
        <ChoiceFilter label="Show" value={show} options={showOptions} onChange={setShow} />
      </Filters>
      <div className={styles.bar}>
        <span>
          {countOf(found.length, 'event')}
          {log.total > maxEntries && `, the newest ${countText(maxEntries)} are kept`}
          {paused && ', paused'}
        </span>
        <div>
          <IconButton
            small
            label={paused ? 'Resume' : 'Pause'}
            icon={paused ? <Play size={14} /> : <Pause size={14} />}
            aria-pressed={paused}
            onClick={() => setPaused(!paused)}
          />
          <IconButton
            small
            label="Export as JSON lines"
            icon={<Download size={14} />}
            disabled={found.length === 0}
            onClick={() => save(jsonLines(found))}
          />
          <IconButton
            small
            label="Clear the events"
            icon={<Trash2 size={14} />}
            disabled={log.entries.length === 0}
            onClick={() => call.clearLog()}
          />
        </div>
      </div>
      {found.length === 0 ? (
        <p className={styles.empty}>
          {log.entries.length === 0
            ? 'Events appear here once a session opens.'
            : 'No matching events.'}
        </p>
      ) : (
        <ol className={styles.list} aria-label="Events, newest first">
          {visible.map((entry) => (
            <EventRow key={entry.seq} entry={entry} />
          ))}
        </ol>
      )}
      {found.length > visible.length && (
        <Button small onClick={() => setShown(shown + shownAtOnce)}>
          Show earlier ({countText(found.length - visible.length)})
        </Button>
      )}
    </div>
  );
}

/** A few times per second, because nobody could read faster. */
function useSlowLog(call: Call, paused: boolean) {
  const [log, setLog] = useState(call.now.log);
  useEffect(() => {
    if (paused) return;
    const look = () => setLog(call.now.log);
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [call, paused]);
  return log;
}

const EventRow = memo(function EventRow({ entry }: { readonly entry: LogEntry }) {
  const [open, setOpen] = useState(false);
  const { sent, custom, type, count, audioBytes } = entry;
  const Arrow = sent ? ArrowUp : ArrowDown;
  return (
    <li className={styles.item}>
      <button
        type="button"
        className={styles.row}
        data-way={sent ? 'sent' : 'received'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Arrow size={14} role="img" aria-label={sent ? 'Sent' : 'Received'} />
        <span className={styles.type}>{type}</span>
        {custom && <span className={styles.tag}>Parley</span>}
        {count > 1 && <span className={styles.tag}>× {countText(count)}</span>}
        {audioBytes > 0 && <span className={styles.tag}>{sizeText(audioBytes)}</span>}
        <time>{clock.format(entry.at)}</time>
      </button>
      {open && <JsonBlock value={entry.event} label={type} />}
    </li>
  );
});

const clock = new Intl.DateTimeFormat('en', {
  ...timeOfDay,
  second: '2-digit',
  fractionalSecondDigits: 3,
});

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `parley-events-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.jsonl`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

import { useAddress } from '../../address.js';
import { AgentFilter } from '../../parts/agent-filter.js';
import { Button } from '../../parts/button.js';
import { Chart } from '../../parts/chart.js';
import { FailureState } from '../../parts/failure-note.js';
import { ChoiceFilter, DayFilter, Filters } from '../../parts/filters.js';
import { Card, Page, Skeleton } from '../../parts/page.js';
import { useNow } from '../../parts/time.js';
import { ByAgent } from './by-agent.js';
import { figureNames, figures, linesOf, shortText, sumOf, valueText } from './figures.js';
import { Quotas } from './quotas.js';
import { useUsage } from './usage-query.js';
import { intervalText, rangeOf, spanFrom, spans } from './usage-range.js';
import styles from './usage.module.css';

export function UsagePage() {
  const [{ from, to, interval, agent }] = useAddress();
  const range = rangeOf({ from, to, interval }, useNow(60_000));
  const usage = useUsage(range, agent);
  const items = usage.data?.items;
  return (
    <Page title="Usage" lead="The usage of this organization’s agents, by UTC day or hour.">
      <UsageFilters />
      {usage.error && !items && (
        <Card>
          <FailureState error={usage.error} onRetry={() => void usage.refetch()} />
        </Card>
      )}
      {!usage.error && !items && (
        <div className={styles.charts}>
          {figureNames.map((name) => (
            <Card key={name} title={figures[name].title}>
              <Skeleton height={220} />
            </Card>
          ))}
        </div>
      )}
      {items && (
        <div className={styles.charts}>
          {figureNames.map((name) => (
            <Chart
              key={name}
              title={figures[name].title}
              total={figures[name].totalText(sumOf(figures[name], items))}
              times={items.map((item) => item.from)}
              timeText={intervalText(range.interval)}
              lines={linesOf(figures[name], items)}
              valueText={name === 'tokens' ? shortText : valueText}
            />
          ))}
        </div>
      )}
      <Quotas quotas={usage.data?.quotas ?? []} />
      {agent === undefined && (
        <>
          <h2>By agent</h2>
          <ByAgent range={range} />
        </>
      )}
    </Page>
  );
}

function UsageFilters() {
  const now = useNow(60_000);
  const [{ from = '', to = '', interval = 'day', agent = '' }, change] = useAddress();
  const span = spans.find(({ value }) => to === '' && from === spanFrom(Number(value), now))?.value;
  const chosen = span ?? (from === '' && to === '' ? '30' : '');
  return (
    <Filters>
      <ChoiceFilter
        label="Time"
        value={chosen}
        options={[...spans, ...(chosen === '' ? [{ value: '' as const, label: 'Custom' }] : [])]}
        onChange={(value) =>
          change({
            from: spanFrom(Number(value), now),
            to: undefined,
            interval: value === '1' ? 'hour' : undefined,
          })
        }
      />
      <DayFilter label="From" value={from} onChange={(value) => change({ from: value })} />
      <DayFilter label="To" value={to} onChange={(value) => change({ to: value })} />
      <ChoiceFilter
        label="By"
        value={interval === 'hour' ? 'hour' : 'day'}
        options={[
          { value: 'day', label: 'Day' },
          { value: 'hour', label: 'Hour' },
        ]}
        onChange={(value) => change({ interval: value })}
      />
      <AgentFilter value={agent} onChange={(value) => change({ agent: value })} />
      {(from !== '' || to !== '' || agent !== '') && (
        <Button
          small
          look="ghost"
          onClick={() =>
            change({ from: undefined, to: undefined, agent: undefined, interval: undefined })
          }
        >
          Clear
        </Button>
      )}
    </Filters>
  );
}

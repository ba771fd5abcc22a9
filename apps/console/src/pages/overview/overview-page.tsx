import { Link } from '@tanstack/react-router';
import { useAddress } from '../../address.js';
import { useOrganization } from '../../api/parley.js';
import { Chart, Sparkline } from '../../parts/chart.js';
import { ChoiceFilter } from '../../parts/filters.js';
import { FailureNote } from '../../parts/failure-note.js';
import { Card, Page, Skeleton } from '../../parts/page.js';
import { useNow } from '../../parts/time.js';
import { figures, linesOf, shortText, sumOf, valueText } from '../usage/figures.js';
import { useUsage } from '../usage/usage-query.js';
import { intervalText, rangeOf, spanFrom } from '../usage/usage-range.js';
import { FirstSteps, useSeen } from './first-steps.js';
import { FailuresCard, LiveCard, WaitingCard } from './overview-cards.js';
import styles from './overview.module.css';

const dayChoices = [
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
] as const;

const shownFigures = ['sessions', 'minutes', 'tokens', 'toolCalls'] as const;

export function OverviewPage() {
  const { id } = useOrganization();
  const [{ days }, change] = useAddress();
  const now = useNow(60_000);
  const chosen = dayChoices.find(({ value }) => value === days)?.value ?? '7';
  const range = rangeOf({ from: spanFrom(Number(chosen), now) }, now);
  const usage = useUsage(range);
  const items = usage.data?.items;
  const { pending, seen } = useSeen();
  if (pending)
    return (
      <Page title="Overview">
        <Skeleton height={320} />
      </Page>
    );
  return (
    <Page
      title="Overview"
      actions={
        <ChoiceFilter
          label="Show"
          value={chosen}
          options={dayChoices}
          onChange={(value) => change({ days: value })}
        />
      }
    >
      {seen && <FirstSteps seen={seen} />}
      <FailureNote error={items ? undefined : usage.error} />
      <div className={styles.figures}>
        {shownFigures.map((name) => (
          <Link
            key={name}
            to="/$organizationId/usage"
            params={{ organizationId: id }}
            className={styles.figure}
          >
            <span className={styles.label}>{figures[name].title}</span>
            {items ? (
              <>
                <span className={styles.number}>{shortText(sumOf(figures[name], items))}</span>
                <Sparkline values={items.map((item) => sumOf(figures[name], [item]))} />
              </>
            ) : (
              <Skeleton height={78} />
            )}
          </Link>
        ))}
      </div>
      {items ? (
        <Chart
          title="Sessions over time"
          total={figures.sessions.totalText(sumOf(figures.sessions, items))}
          times={items.map((item) => item.from)}
          timeText={intervalText(range.interval)}
          lines={linesOf(figures.sessions, items)}
          valueText={valueText}
        />
      ) : (
        <Card title="Sessions over time">
          <Skeleton height={220} />
        </Card>
      )}
      <div className={styles.cards}>
        <WaitingCard />
        <LiveCard />
        <FailuresCard errors={items && sumOf(figures.errors, items)} />
      </div>
    </Page>
  );
}

import type { QuotaUse } from '@parley/client/server';
import { Card } from '../../parts/page.js';
import { countText } from '../../parts/words.js';
import { quotaLabel } from './figures.js';
import styles from './usage.module.css';

export function Quotas({ quotas }: { readonly quotas: readonly QuotaUse[] }) {
  if (quotas.length === 0) return null;
  return (
    <Card title="Quotas">
      <dl className={styles.quotas}>
        {quotas.map(({ name, limit, used }) => (
          <div key={name} className={styles.quota}>
            <dt>{quotaLabel(name)}</dt>
            <dd>
              {used === null
                ? `${countText(limit)} at most`
                : `${countText(used)} of ${countText(limit)}`}
              {used !== null && limit > 0 && (
                <meter
                  aria-label={quotaLabel(name)}
                  min={0}
                  max={limit}
                  high={limit * 0.8}
                  optimum={0}
                  value={Math.min(used, limit)}
                />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

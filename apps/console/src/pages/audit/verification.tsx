import { useQuery } from '@tanstack/react-query';
import { useOrganization, useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { FailureNote } from '../../parts/failure-note.js';
import { Skeleton } from '../../parts/page.js';
import { countOf } from '../../parts/words.js';
import styles from './audit.module.css';

/** Whether the hash chain is intact: no record was altered, removed or reordered. */
export function Verification() {
  const { id } = useOrganization();
  const parley = useParley();
  const checked = useQuery({
    queryKey: [id, 'audit', 'verification'],
    queryFn: () => parley.audit.verify(),
    staleTime: 60_000,
  });
  if (checked.error) return <FailureNote error={checked.error} />;
  if (!checked.data) return <Skeleton width={320} height={28} />;
  const { intact, records, brokenAt } = checked.data;
  return (
    <div className={styles.verification} role="status">
      {intact ? (
        <>
          <Badge tone="ok">Verified</Badge>
          <span>{countOf(records, 'record')}, none altered.</span>
        </>
      ) : (
        <>
          <Badge tone="danger">Broken</Badge>
          <span>
            The log fails verification
            {brokenAt === null ? '' : ` at record ${brokenAt}`}: it was altered outside of Parley.
            Inform your administrator.
          </span>
        </>
      )}
      <Button small look="ghost" busy={checked.isFetching} onClick={() => void checked.refetch()}>
        {checked.isFetching ? 'Checking …' : 'Check again'}
      </Button>
    </div>
  );
}

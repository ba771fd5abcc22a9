import { useMay } from '../api/parley.js';
import { Card, EmptyState } from './page.js';
import type { ReactNode } from 'react';

/** Only owners may read these from the API; others who follow a link here see this notice. */
export function OwnersOnly({
  what,
  children,
}: {
  readonly what: string;
  readonly children: ReactNode;
}) {
  if (useMay('owner')) return children;
  return (
    <Card>
      <EmptyState title={`Only owners can see ${what}`}>
        Ask an owner of the organization for what you need, or for another role.
      </EmptyState>
    </Card>
  );
}

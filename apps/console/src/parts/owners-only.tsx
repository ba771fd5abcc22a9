import { useMay } from '../api/parley.js';
import { Card, EmptyState } from './page.js';
import type { ReactNode } from 'react';

/** The API lets owners alone read these; who else comes here, by a link, is told so. */
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
      <EmptyState title={`Only owners see ${what}`}>
        Ask an owner of the organization for what you need, or for another role.
      </EmptyState>
    </Card>
  );
}

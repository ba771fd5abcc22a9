import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { FailureState } from '../parts/failure-note.js';
import { EmptyState } from '../parts/page.js';

export function NotFound() {
  return (
    <EmptyState title="There is no such page" action={<Link to="/">Go to the overview</Link>}>
      The address is wrong, or what it led to is gone.
    </EmptyState>
  );
}

/** What a page could not cope with. The others go on. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return <FailureState error={error} onRetry={reset} />;
}

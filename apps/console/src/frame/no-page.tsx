import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { FailureState } from '../parts/failure-note.js';
import { EmptyState } from '../parts/page.js';

export function NotFound() {
  return (
    <EmptyState title="Page not found" action={<Link to="/">Go to the overview</Link>}>
      The link is wrong, or the page no longer exists.
    </EmptyState>
  );
}

/** A page crashed. The others still work. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  return <FailureState error={error} onRetry={reset} />;
}

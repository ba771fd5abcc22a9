import { Navigate } from '@tanstack/react-router';
import { useMe } from '../api/signed-in.js';
import { UserMenu } from './user-menu.js';
import { EmptyState } from '../parts/page.js';

/** Redirects to the user's first organization. */
export function Home() {
  const [first] = useMe().organizations;
  if (!first)
    return (
      <EmptyState title="You are not a member of any organization" action={<UserMenu />}>
        Ask an owner to add you under Members, then reload this page.
      </EmptyState>
    );
  return <Navigate to="/$organizationId" params={{ organizationId: first.id }} replace />;
}

import { Link, useLocation } from '@tanstack/react-router';
import { useOrganization } from '../api/parley.js';
import { navigation } from './navigation.js';
import styles from './shell.module.css';

/** The organization and the current page; a detail page shows its own title. */
export function Breadcrumb() {
  const { id, name } = useOrganization();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const page = navigation
    .flatMap(({ pages }) => [...pages])
    .findLast(({ to }) => path.startsWith(to.replace('$organizationId', id)));
  return (
    <nav className={styles.crumbs} aria-label="Breadcrumb">
      <Link to="/$organizationId" params={{ organizationId: id }}>
        {name}
      </Link>
      {page && page.label !== 'Overview' && (
        <>
          <span aria-hidden="true">/</span>
          <Link to={page.to} params={{ organizationId: id }}>
            {page.label}
          </Link>
        </>
      )}
    </nav>
  );
}

import { Outlet, useParams } from '@tanstack/react-router';
import { Menu as MenuIcon, PanelLeft } from 'lucide-react';
import { useState } from 'react';
import { useLiveEvents } from '../api/events.js';
import { useMe } from '../api/signed-in.js';
import { IconButton } from '../parts/button.js';
import { Sheet } from '../parts/dialog.js';
import { EmptyState } from '../parts/page.js';
import { useApprovalAlerts } from './approval-alerts.js';
import { Breadcrumb } from './breadcrumb.js';
import { CommandPalette } from './command-palette.js';
import { Sidebar } from './sidebar.js';
import { UserMenu } from './user-menu.js';
import styles from './shell.module.css';

/** The frame around every page of an organization. */
export function Shell() {
  const { organizationId = '' } = useParams({ strict: false });
  const { organizations } = useMe();
  if (!organizations.some(({ id }) => id === organizationId))
    return (
      <EmptyState title="You have no access to this organization" action={<UserMenu />}>
        It does not exist, or you are no longer a member. Ask one of its owners.
      </EmptyState>
    );
  return <Frame key={organizationId} organizationId={organizationId} />;
}

function Frame({ organizationId }: { readonly organizationId: string }) {
  useLiveEvents(organizationId);
  useApprovalAlerts();
  const [narrow, setNarrow] = useState(false);
  const [sheet, setSheet] = useState(false);
  return (
    <div className={`${styles.shell} ${narrow ? styles.collapsed : ''}`}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <aside className={styles.side} aria-label="Navigation">
        <Sidebar narrow={narrow} />
      </aside>
      {sheet && (
        <Sheet label="Navigation" onClose={() => setSheet(false)}>
          <Sidebar onGo={() => setSheet(false)} />
        </Sheet>
      )}
      <div className={styles.column}>
        <header className={styles.top}>
          <IconButton
            className={styles.menu}
            label="Open the navigation"
            icon={<MenuIcon size={18} />}
            onClick={() => setSheet(true)}
          />
          <IconButton
            className={styles.collapse}
            label={narrow ? 'Expand the navigation' : 'Collapse the navigation'}
            icon={<PanelLeft size={16} />}
            onClick={() => setNarrow(!narrow)}
          />
          <Breadcrumb />
          <div className={styles.space} />
          <CommandPalette />
          <UserMenu />
        </header>
        <main id="content" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

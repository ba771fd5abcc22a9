import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Check, ChevronsUpDown } from 'lucide-react';
import { mayAct } from '../api/account.js';
import { useOrganization, useParley } from '../api/parley.js';
import { useMe } from '../api/signed-in.js';
import { Menu, MenuItem, MenuNote } from '../parts/menu.js';
import { navigation, type NavigationPage } from './navigation.js';
import styles from './sidebar.module.css';

export function Sidebar({
  narrow = false,
  onGo,
}: {
  readonly narrow?: boolean;
  readonly onGo?: () => void;
}) {
  const { role } = useOrganization();
  return (
    <div className={`${styles.sidebar} ${narrow ? styles.narrow : ''}`}>
      <OrganizationSwitcher />
      <nav aria-label="Pages">
        {navigation.map(({ section, pages }) => (
          <div key={section}>
            {section !== '' && <div className={styles.section}>{section}</div>}
            <ul>
              {pages
                .filter((page) => mayAct(role, 'role' in page ? page.role : 'viewer'))
                .map((page) => (
                  <li key={page.to}>
                    <PageLink page={page} onGo={onGo} />
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}

function PageLink({
  page,
  onGo,
}: {
  readonly page: NavigationPage;
  readonly onGo: (() => void) | undefined;
}) {
  const { id } = useOrganization();
  const Icon = page.icon;
  return (
    <Link
      to={page.to}
      params={{ organizationId: id }}
      activeOptions={{ exact: page.label === 'Overview', includeSearch: false }}
      className={styles.link ?? ''}
      title={page.label}
      onClick={onGo}
    >
      <Icon size={16} aria-hidden="true" />
      <span>{page.label}</span>
      {page.label === 'Approvals' && <WaitingCount />}
    </Link>
  );
}

/** Number of approvals that are waiting. */
function WaitingCount() {
  const { id } = useOrganization();
  const parley = useParley();
  const { data } = useQuery({
    queryKey: [id, 'approvals', 'count'],
    queryFn: async () => (await parley.approvals.list({ limit: 1 })).total,
    refetchInterval: 60_000,
  });
  if (data === undefined || data === 0) return null;
  return (
    <span className={styles.count} role="status">
      {data > 99 ? '99+' : data}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
}

function OrganizationSwitcher() {
  const { organizations } = useMe();
  const current = useOrganization();
  const navigate = useNavigate();
  const go = (organizationId: string) =>
    void navigate({ to: '/$organizationId', params: { organizationId } });
  return (
    <Menu
      trigger={
        <button type="button" className={styles.organization} title={current.name}>
          <b className={styles.mark} aria-hidden="true">
            {Array.from(current.name).at(0)?.toUpperCase()}
          </b>
          <span>{current.name}</span>
          <ChevronsUpDown size={14} aria-hidden="true" />
        </button>
      }
    >
      <MenuNote>You are {article(current.role)} of this organization.</MenuNote>
      {organizations.map(({ id, name }) => (
        <MenuItem key={id} onSelect={() => go(id)}>
          {name}
          {id === current.id && <Check size={14} aria-label="current" />}
        </MenuItem>
      ))}
    </Menu>
  );
}

function article(role: string): string {
  return /^[aeo]/.test(role) ? `an ${role}` : `a ${role}`;
}

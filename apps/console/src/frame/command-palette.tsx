import { useNavigate } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { mayAct } from '../api/account.js';
import { useOrganization, useParley } from '../api/parley.js';
import { Dialog } from '../parts/dialog.js';
import { navigation } from './navigation.js';
import shell from './shell.module.css';
import styles from './command-palette.module.css';

/** Ctrl or ⌘ K: go to a page, find an agent by name, or anything by id. */
export function CommandPalette() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen((now) => !now);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button type="button" className={shell.find} onClick={() => setOpen(true)} title="Search">
        <Search size={14} aria-hidden="true" />
        <span>Search or go to</span>
        <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      {open && (
        <Dialog title="Search or go to" onClose={() => setOpen(false)}>
          <Palette onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

type Choice = {
  readonly key: string;
  readonly label: string;
  readonly kind: string;
  readonly go: () => void;
};

function Palette({ onDone }: { readonly onDone: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const choices = useChoices(typed.trim());
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onDone();
    choice.go();
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((now) => (now + step + choices.length) % Math.max(1, choices.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(choices[at]);
    }
  };
  return (
    <div className={styles.palette}>
      <input
        role="combobox"
        aria-label="Page, agent or id"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={choices[at] ? `${id}-${at}` : undefined}
        className={styles.input}
        placeholder="Page, agent or id"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul role="listbox" id={`${id}-list`} aria-label="Found" className={styles.list}>
        {choices.map((choice, index) => (
          <li
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={styles.choice}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(choice)}
          >
            <span>{choice.label}</span>
            <small>{choice.kind}</small>
          </li>
        ))}
        {choices.length === 0 && <li className={styles.none}>Nothing has this name or id.</li>}
      </ul>
    </div>
  );
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function useChoices(typed: string): readonly Choice[] {
  const { id: organizationId, role } = useOrganization();
  const parley = useParley();
  const navigate = useNavigate();
  const { data: agents } = useQuery({
    queryKey: [organizationId, 'agents', 'palette'],
    queryFn: async () => (await parley.agents.list({ limit: 100 })).items,
  });
  const matches = (text: string) => text.toLowerCase().includes(typed.toLowerCase());
  const pages = navigation
    .flatMap(({ pages }) => [...pages])
    .filter((page) => mayAct(role, 'role' in page ? page.role : 'viewer') && matches(page.label))
    .map(({ to, label }) => ({
      key: to,
      label,
      kind: 'Page',
      go: () => void navigate({ to, params: { organizationId } }),
    }));
  const found = (agents ?? [])
    .filter(({ id, name }) => typed !== '' && (matches(name) || id === typed.toLowerCase()))
    .slice(0, 8)
    .map(({ id, name }) => ({
      key: id,
      label: name,
      kind: 'Agent',
      go: () =>
        void navigate({
          to: '/$organizationId/agents/$agentId',
          params: { organizationId, agentId: id },
        }),
    }));
  const conversation = uuid.test(typed)
    ? [
        {
          key: 'conversation',
          label: typed,
          kind: 'Conversation',
          go: () =>
            void navigate({
              to: '/$organizationId/conversations/$conversationId',
              params: { organizationId, conversationId: typed.toLowerCase() },
            }),
        },
      ]
    : [];
  const create =
    mayAct(role, 'editor') && matches('Create an agent')
      ? [
          {
            key: 'create-agent',
            label: 'Create an agent',
            kind: 'Action',
            go: () =>
              void navigate({ to: '/$organizationId/agents/new', params: { organizationId } }),
          },
        ]
      : [];
  return [...found, ...conversation, ...pages, ...create];
}

import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AudioLines, MoreHorizontal, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useMay, useOrganization } from '../../api/parley.js';
import { useMe } from '../../api/signed-in.js';
import { buttonClass, IconButton } from '../../parts/button.js';
import { ShortId } from '../../parts/copy.js';
import { SaveBar } from '../../parts/save-bar.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { Page } from '../../parts/page.js';
import { Tabs } from '../../parts/tabs.js';
import { Time } from '../../parts/time.js';
import type { AgentState } from './agents-query.js';
import { CodeTab } from './code-tab.js';
import { ConflictDialog } from './conflict-dialog.js';
import { DeleteAgentDialog } from './delete-agent-dialog.js';
import type { FieldErrors } from './field-errors.js';
import { InstructionsTab } from './instructions-tab.js';
import { ModelTab } from './model-tab.js';
import { ToolsTab } from './tools-tab.js';
import { useAgentDraft, type EditedAgent } from './use-agent-draft.js';
import { useSaveAgent } from './use-save-agent.js';
import styles from './agent-editor.module.css';

const tabNames = ['instructions', 'model', 'tools', 'code'] as const;
type TabName = (typeof tabNames)[number];

/** Props of each section of the editor. */
export type SectionProps = {
  readonly state: AgentState;
  readonly edit: EditedAgent;
  readonly errors: FieldErrors;
  readonly readOnly: boolean;
};

export function AgentEditor({ state }: { readonly state: AgentState }) {
  const { agent } = state;
  const edit = useAgentDraft(state, `parley.agent.${useMe().user.id}.${agent.id}`);
  const { save, busy, error, errors, conflict, forget } = useSaveAgent(agent.id, edit);
  const readOnly = !useMay('editor');
  const section = { state, edit, errors, readOnly };
  return (
    <Page
      title={agent.name}
      lead={
        <span className={styles.lead}>
          <ShortId id={agent.id} what="agent’s id" />
          <span>
            Changed <Time key={agent.updatedAt} at={agent.updatedAt} />
          </span>
        </span>
      }
      actions={<Actions state={state} readOnly={readOnly} />}
    >
      {readOnly && (
        <p className={styles.note}>
          Your role can only read agents. An editor can change this one.
        </p>
      )}
      {edit.restored && edit.changed && (
        <p className={styles.note} role="status">
          Your unsaved changes were restored. Secrets are not kept: enter them again.
        </p>
      )}
      <Sections section={section} onSave={save} />
      {!readOnly && (
        <SaveBar
          withinPage
          changed={edit.changed}
          busy={busy}
          error={conflict ? undefined : error}
          onSave={save}
          onReset={() => {
            edit.begin(state);
            forget();
          }}
        />
      )}
      {conflict && <ConflictDialog edit={edit} agentId={agent.id} onDone={forget} />}
    </Page>
  );
}

function Sections({
  section,
  onSave,
}: {
  readonly section: SectionProps;
  readonly onSave: () => void;
}) {
  const { organizationId, agentId } = useAgentAddress(section.state);
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { errors, edit } = section;
  const shown = tabNames.find((name) => name === tab) ?? 'instructions';
  const go = (to: TabName) =>
    void navigate({
      to: '/$organizationId/agents/$agentId',
      params: { organizationId, agentId },
      search: { tab: to },
      resetScroll: false,
    });
  const wrong = new Set([...errors.keys()].map(tabOfPath));
  const label = (name: TabName, words: ReactNode) => (
    <>
      {words}
      {wrong.has(name) && (
        <span className={styles.wrong}>
          <span className="visually-hidden">, contains errors</span>
        </span>
      )}
    </>
  );
  const count = edit.value.tools.length;
  return (
    <Tabs
      label="Sections of the agent"
      value={shown}
      onChange={go}
      tabs={[
        {
          value: 'instructions',
          label: label('instructions', 'Instructions'),
          content: <InstructionsTab {...section} />,
        },
        {
          value: 'model',
          label: label('model', 'Model and voice'),
          content: <ModelTab {...section} />,
        },
        {
          value: 'tools',
          label: label('tools', count === 0 ? 'Tools' : `Tools ${count}`),
          content: <ToolsTab {...section} onSave={onSave} />,
        },
        { value: 'code', label: 'Code', content: <CodeTab {...section} /> },
      ]}
    />
  );
}

const instructionPaths = ['name', 'description', 'systemMessage', 'icon', 'iconColor', 'imageUrl'];

function tabOfPath(path: string): TabName {
  const [, field = ''] = path.split('/');
  if (field === 'tools' || field === 'secrets') return 'tools';
  return instructionPaths.includes(field) ? 'instructions' : 'model';
}

function useAgentAddress({ agent }: AgentState) {
  return { organizationId: useOrganization().id, agentId: agent.id };
}

function Actions({ state, readOnly }: { readonly state: AgentState; readonly readOnly: boolean }) {
  const { organizationId, agentId } = useAgentAddress(state);
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      {!readOnly && (
        <Menu
          trigger={
            <IconButton
              look="secondary"
              label="More about this agent"
              icon={<MoreHorizontal size={16} />}
            />
          }
        >
          <MenuItem onSelect={() => setDeleting(true)}>
            <Trash2 size={16} aria-hidden="true" /> Delete the agent
          </MenuItem>
        </Menu>
      )}
      <Link
        to="/$organizationId/playground"
        params={{ organizationId }}
        search={{ agent: agentId }}
        className={buttonClass('primary')}
      >
        <AudioLines size={16} aria-hidden="true" /> Talk to it
      </Link>
      {deleting && <DeleteAgentDialog agent={state.agent} onClose={() => setDeleting(false)} />}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { useOrganization } from '../../api/parley.js';
import { CodeBlock } from '../../parts/code-block.js';
import { codeOf } from './agent-code.js';
import type { SectionProps } from './agent-editor.js';
import styles from './sections.module.css';

export function CodeTab({ state, edit }: SectionProps) {
  const { id: organizationId } = useOrganization();
  const { agent } = state;
  return (
    <div className={styles.sections}>
      <p>
        This code creates a copy of this agent. It reads an API key of your organization from{' '}
        <code>API_KEY</code>:{' '}
        <Link to="/$organizationId/keys" params={{ organizationId }}>
          API keys
        </Link>
        .
        {agent.secretNames.length > 0 &&
          ' Fill in the values of the secrets: they are never shown.'}
        {edit.changed && ' Unsaved changes are not included.'}
      </p>
      <CodeBlock
        label="Code that creates this agent"
        snippets={codeOf(agent, { baseUrl: location.origin, organizationId })}
      />
    </div>
  );
}

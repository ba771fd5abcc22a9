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
        This creates an agent that is just like this one. It takes a key of your organization from{' '}
        <code>API_KEY</code>:{' '}
        <Link to="/$organizationId/keys" params={{ organizationId }}>
          API keys
        </Link>
        .
        {agent.secretNames.length > 0 && ' Put the values of the secrets in: they are never shown.'}
        {edit.changed && ' Changes that are not saved are left out.'}
      </p>
      <CodeBlock
        label="Code that creates this agent"
        snippets={codeOf(agent, { baseUrl: location.origin, organizationId })}
      />
    </div>
  );
}

import { useAgent } from '../api/agents.js';
import styles from './agent-name.module.css';

/** Names are user input, so they keep their own text direction. */
export function AgentName({ id }: { readonly id: string }) {
  const agent = useAgent(id);
  if (agent === null) return <span>Deleted agent</span>;
  return (
    <bdi className={styles.name} title={agent?.name}>
      {agent?.name ?? id.slice(0, 8)}
    </bdi>
  );
}

import { Page } from '../../parts/page.js';

export function AgentsPage() {
  return <Page title="Agents">{null}</Page>;
}

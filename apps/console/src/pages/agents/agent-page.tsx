import { Page } from '../../parts/page.js';

export function AgentPage() {
  return <Page title="Agent">{null}</Page>;
}

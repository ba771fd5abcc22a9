import { Page } from '../../parts/page.js';

export function NewAgentPage() {
  return <Page title="New agent">{null}</Page>;
}

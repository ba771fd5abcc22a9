import { Page } from '../../parts/page.js';

export function ConnectionsPage() {
  return <Page title="Connections">{null}</Page>;
}

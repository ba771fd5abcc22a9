import { Page } from '../../parts/page.js';

export function KeysPage() {
  return <Page title="API keys">{null}</Page>;
}

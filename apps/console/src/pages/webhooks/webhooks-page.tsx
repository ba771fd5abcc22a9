import { Page } from '../../parts/page.js';

export function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>;
}

import { Page } from '../../parts/page.js';

export function WebhookPage() {
  return <Page title="Webhook">{null}</Page>;
}

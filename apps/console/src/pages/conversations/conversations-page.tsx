import { Page } from '../../parts/page.js';

export function ConversationsPage() {
  return <Page title="Conversations">{null}</Page>;
}

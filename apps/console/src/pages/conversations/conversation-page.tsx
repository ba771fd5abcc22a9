import { Page } from '../../parts/page.js';

export function ConversationPage() {
  return <Page title="Conversation">{null}</Page>;
}

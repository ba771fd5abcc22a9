import { Page } from '../../parts/page.js';

export function MembersPage() {
  return <Page title="Members">{null}</Page>;
}

import { Page } from '../../parts/page.js';

export function ApprovalsPage() {
  return <Page title="Approvals">{null}</Page>;
}

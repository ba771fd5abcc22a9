import { Page } from '../../parts/page.js';

export function AuditPage() {
  return <Page title="Audit log">{null}</Page>;
}

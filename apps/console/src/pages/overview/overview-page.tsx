import { Page } from '../../parts/page.js';

export function OverviewPage() {
  return <Page title="Overview">{null}</Page>;
}

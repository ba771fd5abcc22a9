import { Page } from '../../parts/page.js';

export function UsagePage() {
  return <Page title="Usage">{null}</Page>;
}

import { Page } from '../../parts/page.js';

export function LivePage() {
  return <Page title="Live">{null}</Page>;
}

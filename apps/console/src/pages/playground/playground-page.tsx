import { Page } from '../../parts/page.js';

export function PlaygroundPage() {
  return <Page title="Playground">{null}</Page>;
}

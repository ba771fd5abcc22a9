import { Page } from '../../parts/page.js';

export function TasksPage() {
  return <Page title="Tasks">{null}</Page>;
}

import { Page } from '../../parts/page.js';

export function FilesPage() {
  return <Page title="Files">{null}</Page>;
}

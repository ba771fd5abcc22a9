export { homePage } from './home-page.js';
export { docsSite, type DocsFile, type DocsSite } from './site.js';
export { errorsMarkdown } from './errors-markdown.js';

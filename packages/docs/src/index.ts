export { homePage } from './home-page.js';
export { docsSite, type DocsFile, type DocsSite } from './site.js';
export { foreignClients, type ForeignClient } from './foreign-clients.js';
export { errorsMarkdown } from './errors-markdown.js';

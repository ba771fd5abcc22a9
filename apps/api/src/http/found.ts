export { found, notFound } from '@parley/protocol';

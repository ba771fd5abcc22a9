// Builds the site that the api serves at /console; runs after the compiler.
import { build } from 'vite';

await build({ root: import.meta.dirname, logLevel: 'warn' });

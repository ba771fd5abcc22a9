// Makes the site that the api serves at /console, after the compiler.
import { build } from 'vite';

await build({ root: import.meta.dirname, logLevel: 'warn' });

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { format } from 'oxfmt';
import { root } from './build.mjs';

const options = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'));

/** Generated text as `npm run format` leaves it. */
export async function formatted(file, text) {
  const { code, errors } = await format(basename(file), text, options);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}

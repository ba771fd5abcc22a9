import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseInfo } from '#src/snippet.js';

export const guides = join(import.meta.dirname, '../../pages');

/** A fenced block of a guide, with what its info string asks for. */
export type Snippet = {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly code: string;
};

export function snippetsOf(page: string): Snippet[] {
  const text = readFileSync(join(guides, `${page}.md`), 'utf8');
  return [...text.matchAll(/^```([^\n`]*)\n([^]*?)^```$/gm)].map((match) => {
    const [, info = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { page, line, code, ...parseInfo(info) };
  });
}

export const placeOf = ({ page, line, language }: Snippet) => `${page}.md:${line} (${language})`;

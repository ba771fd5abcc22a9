import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { openApiDocument } from '@parley/protocol';
import { docsSite } from '#src/index.js';
import { sections } from '#src/pages.js';
import { closeRemedies, eventRemedies, realtimeRemedies } from '#src/realtime-remedies.js';
import { problemRemedies } from '#src/rest-remedies.js';
import { guides, placeOf, snippetsOf } from './support/snippets.js';

describe('the docs', () => {
  const site = docsSite({ version: 'test', contract: openApiDocument('test') });
  const names = sections.flatMap(({ pages }) => Object.keys(pages));
  const html = new Map(
    names.map((name) => {
      const path = name === 'index' ? '/' : `/${name}`;
      return [`/docs${path === '/' ? '' : path}`, String(site.file(path)?.body)];
    }),
  );

  it('have every guide in their navigation', () => {
    const written = readdirSync(guides).map((file) => file.replace(/\.md$/, ''));
    expect(names).to.include.members(written);
  });

  it('have a title and a summary on every page', () => {
    for (const [path, page] of html) {
      expect(page, path).to.match(/<title>[^<]{3,} · Parley<\/title>/);
      expect(page, path).to.match(/<meta name="description" content="[^"]{20,}">/);
    }
  });

  it('have no link that leads nowhere, and no id twice', () => {
    const idsOf = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    const ids = new Map([...html].map(([path, page]) => [path, idsOf(page)]));
    const dead: string[] = [];
    for (const [path, page] of html) {
      expect(new Set(ids.get(path)), path).to.have.length(ids.get(path)!.length);
      for (const [, link = ''] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { pathname, hash, origin } = new URL(link, `http://parley${path}`);
        if (origin !== 'http://parley' || pathname.startsWith('/api/v1/')) continue;
        const target = ids.get(pathname);
        const isThere = target ?? site.file(pathname.replace('/docs', ''));
        const hasPlace = hash === '' || target?.includes(decodeURIComponent(hash.slice(1)));
        if (!isThere || !hasPlace) dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).to.deep.equal([]);
  });

  it('say of every error why it happens and what to do', () => {
    const remedies = {
      ...problemRemedies,
      ...realtimeRemedies,
      ...closeRemedies,
      ...eventRemedies,
    };
    for (const [code, { cause, action }] of Object.entries(remedies))
      for (const text of [cause, action]) expect(text, code).to.match(/^[`A-Z][^]+[.)]$/);
  });

  it('can be searched by page and by heading', () => {
    const found = JSON.parse(String(site.file('/search.json')?.body)) as { path: string }[];
    expect(found.map(({ path }) => path)).to.include.members([
      '/docs/http-tools',
      '/docs/http-tools#secrets',
      '/docs/errors#key-missing',
      '/docs/api#createAgent',
    ]);
  });

  it('offer every operation to be tried, with a body that is JSON', () => {
    const contract = openApiDocument('test');
    const operations = JSON.parse(String(site.file('/operations.json')?.body)) as {
      id: string;
      body?: string;
    }[];
    const described = Object.values(contract.paths).flatMap((path) => Object.values(path));
    expect(operations).to.have.length(described.length);
    for (const { id, body } of operations)
      if (body !== undefined) expect(JSON.parse(body), id).to.be.an('object');
  });

  it('have snippets in languages that are run or checked', () => {
    const known = ['bash', 'js', 'ts', 'json', 'python', 'html', 'yaml', 'text', 'nginx', 'caddy'];
    const odd = readdirSync(guides)
      .flatMap((file) => snippetsOf(file.replace(/\.md$/, '')))
      .filter(({ language }) => !known.includes(language));
    expect(odd.map(placeOf)).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { safeReturn } from '#src/accounts/oidc.js';

describe('where a sign-in leads back to', () => {
  const publicUrl = 'https://parley.example.com';
  const kept = ['/console', '/console/', '/console/agents?Offset=50#top', '/console/a/../b'];
  for (const place of kept)
    it(`is ${place}`, () => {
      const { pathname, search, hash } = new URL(place, publicUrl);
      expect(safeReturn(place, publicUrl)).to.equal(pathname + search + hash);
    });

  const foreign = [
    undefined,
    '',
    '/',
    '/docs',
    '/consoleevil',
    '//evil.example/console/',
    '\\\\evil.example\\console\\',
    'https://evil.example/console/',
    'https://parley.example.com.evil.example/console/',
    'https://parley.example.com@evil.example/console/',
    'javascript:alert(1)',
    '/console/../../docs',
    '/console/..//evil.example',
    '/console/oidc/start',
    'http://parley.example.com/console/',
    'https://[',
  ];
  for (const place of foreign)
    it(`is never ${place}`, () => {
      expect(safeReturn(place, publicUrl)).to.equal('/console/');
    });
});

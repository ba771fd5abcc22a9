import { expect } from 'chai';
import { parseSetting } from '#src/setting-value.js';
import type { Setting } from '#src/setting.js';
import { settingsMarkdown } from '#src/settings-doc.js';
import { settings } from '#src/settings.js';

const rows: [string, Setting][] = Object.entries(settings);

describe('the table of settings', () => {
  it('says in one sentence what each setting does, and what happens without it', () => {
    for (const [name, row] of rows) {
      expect(row.doc, name).to.match(/^[A-Z][^|\n]*\.$/);
      expect(row.default ?? row.unset, name).not.to.equal(undefined);
    }
  });

  it('requires a setting only in apps that read it', () => {
    for (const [name, row] of rows)
      expect(row.apps, name).to.include.members([...(row.requiredIn ?? [])]);
  });

  it('accepts its own defaults', () => {
    for (const [name, row] of rows) {
      const fallback = row.default?.toString() ?? '';
      if (fallback !== '')
        expect(parseSetting(row, fallback), name).to.deep.equal({ ok: true, value: row.default });
    }
  });

  it('bounds every duration by what setTimeout can wait', () => {
    for (const [name, row] of rows)
      if (name.endsWith('_SECONDS')) expect(row, name).to.include({ max: 2_147_483 });
  });

  it('marks what must not be shown', () => {
    const secret = rows.filter(([, row]) => row.secret).map(([name]) => name);
    expect(secret).to.have.members([
      'REDIS_URL',
      'REDIS_SENTINEL_PASSWORD',
      'DATABASE_URL',
      'SECRETS_KEY',
      'SECRETS_KEY_PREVIOUS',
      'PROVIDER_API_KEY',
      'OPENAI_API_KEY',
      'BOOTSTRAP_API_KEY',
      'BOOTSTRAP_ADMIN_PASSWORD',
      'OIDC_CLIENT_SECRET',
      'S3_ACCESS_KEY_ID',
      'S3_SECRET_ACCESS_KEY',
    ]);
  });
});

describe('settingsMarkdown', () => {
  const lines = settingsMarkdown().trimEnd().split('\n');

  it('has one row of four cells for each setting', () => {
    expect(lines.slice(2).map((line) => /^\| `(\w+)` \|/.exec(line)?.[1])).to.deep.equal(
      rows.map(([name]) => name),
    );
    for (const line of lines)
      expect(line.split(' | '), line).to.have.length(line === lines[1] ? 1 : 4);
  });

  it('tells the default, the choices and the readers', () => {
    expect(lines).to.include(
      '| `REALTIME_CLIENT_OVERRIDES` | `merge` | What a client may change with session.update and response.create: what the agent ' +
        "leaves open (`merge`), nothing (`refuse`), or everything, including the agent's instructions and tools (`allow`). " +
        'One of `merge`, `refuse`, `allow`. | realtime-gateway, standalone |',
    );
    expect(lines).to.include(
      '| `DATABASE_URL` | required; in standalone, admin: embedded | PostgreSQL 14 or later. | ' +
        'api, realtime-gateway, worker, standalone, admin |',
    );
  });
});

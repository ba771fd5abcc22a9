import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { chart, helm, render, root, valueSets } from './chart.js';

describe('the chart', () => {
  needs('helm');

  for (const { name, file, kubeVersion } of valueSets) {
    it(`renders ${name} as it did; npm run goldens accepts a change`, async () => {
      const golden = join(root, 'helm/test/golden', `${name}.yaml`);
      const rendered = await render({ files: [file], kubeVersion });
      if ('error' in rendered) throw new Error(rendered.error);
      if (process.env['UPDATE_GOLDENS'] === 'true') writeFileSync(golden, rendered.text);
      expect(existsSync(golden), `${golden} is missing`).to.equal(true);
      expect(rendered.text).to.equal(readFileSync(golden, 'utf8'));
    });

    it(`passes helm lint with ${name}`, async () => {
      const args = ['lint', '--strict', chart, '--kube-version', kubeVersion, '--values', file];
      const { code, stdout, stderr } = await helm(args);
      expect(code, stdout + stderr).to.equal(0);
    });
  }

  it('renders the same twice, so that an upgrade without a change changes nothing', async () => {
    const [first] = valueSets;
    expect(await render({ files: [first!.file] })).to.deep.equal(
      await render({ files: [first!.file] }),
    );
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { parse } from 'yaml';
import { manifests, root, valueSets, type Values } from './chart.js';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('what the chart’s documentation says', () => {
  needs('helm');
  const operations = read('deploy/README.md');
  const [, block] = /```yaml\n(# my-values\.yaml\n[^]*?)```/.exec(operations)!;
  const example = parse(
    block!.replace('0b2c6f9e-…', '0b2c6f9e-0000-4000-8000-000000000000'),
  ) as Values;

  it('installs with the values that it shows, and with one more secret among them', async () => {
    expect(await manifests({ values: example })).to.have.length.above(10);
    const more = { ...example, provider: { apiKey: 'sk-mine' } };
    const secrets = (await manifests({ values: more })).filter(({ kind }) => kind === 'Secret');
    expect(secrets.map(({ metadata }) => metadata.name)).to.deep.equal(['parley']);
    expect(operations).to.include('create secret generic parley-secrets ');
  });

  it('names whatever Kubernetes itself does not have', async () => {
    const builtIn = /^(v1|(apps|autoscaling|batch|policy|[a-z.]+\.k8s\.io)\/v\d)$/;
    const [, prerequisites] = /## Prerequisites\n([^]*?)\n## /.exec(read('helm/parley/README.md'))!;
    const used = new Set<string>();
    for (const { file, kubeVersion } of valueSets)
      for (const { apiVersion } of await manifests({ files: [file], kubeVersion }))
        if (!builtIn.test(apiVersion) || apiVersion.startsWith('gateway.')) used.add(apiVersion);
    expect([...used]).to.have.members([
      'gateway.networking.k8s.io/v1',
      'monitoring.coreos.com/v1',
      'keda.sh/v1alpha1',
    ]);
    for (const apiVersion of used) expect(prerequisites).to.include(`\`${apiVersion}\``);
  });

  it('runs the administrator’s command line under restricted pod security', () => {
    const [, overrides] = /--overrides='\n([^']*)'/.exec(operations)!;
    const { spec } = JSON.parse(overrides!) as {
      spec: { securityContext: object; containers: { securityContext: object }[] };
    };
    expect(spec.securityContext).to.deep.equal({
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.containers.map(({ securityContext }) => securityContext)).to.deep.equal([
      {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    ]);
  });
});

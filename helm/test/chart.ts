import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programPath, temporaryFolder } from '@parley/testkit';
import { parseAllDocuments, stringify } from 'yaml';

export const root = join(import.meta.dirname, '../..');
export const chart = join(root, 'helm/parley');
const valuesFolder = join(root, 'helm/test/values');

/** The sets of values whose renders are kept, each with the Kubernetes that it is for. */
export const valueSets = readdirSync(valuesFolder)
  .map((file) => file.replace(/\.yaml$/, ''))
  .map((name) => ({
    name,
    file: join(valuesFolder, `${name}.yaml`),
    kubeVersion: name === 'old-cluster' ? '1.27.0' : '1.34.0',
  }));

export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string>; labels: Record<string, string> };
  spec: Record<string, unknown>;
};

export type Values = Record<string, unknown>;

/** What helm template prints, or its complaint. */
export async function render(options: {
  files?: string[];
  values?: Values;
  kubeVersion?: string;
  namespace?: string;
}): Promise<{ text: string } | { error: string }> {
  const { files = [], values, kubeVersion = '1.34.0', namespace = 'voice' } = options;
  const where = ['--namespace', namespace, '--kube-version', kubeVersion];
  const args = ['template', 'parley', chart, ...where];
  const fromFiles = [...files, ...(values ? ['-'] : [])].flatMap((file) => ['--values', file]);
  const { code, stdout, stderr } = await helm([...args, ...fromFiles], values && stringify(values));
  return code === 0 ? { text: stdout } : { error: stderr };
}

export async function manifests(options: Parameters<typeof render>[0]): Promise<Manifest[]> {
  const rendered = await render(options);
  if ('error' in rendered) throw new Error(rendered.error);
  return parseAllDocuments(rendered.text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}

/** Helm shows notes only as it installs: a copy of the chart has them as the ConfigMap `notes`. */
export async function chartWithNotes(): Promise<string> {
  const copy = join(await temporaryFolder(), 'parley');
  await cp(chart, copy, { recursive: true });
  const notes = await readFile(join(chart, 'templates/NOTES.txt'), 'utf8');
  await writeFile(
    join(copy, 'templates/notes.yaml'),
    `{{- define "notes" -}}${notes}{{- end -}}
apiVersion: v1
kind: ConfigMap
metadata: { name: notes }
data: { notes: {{ include "notes" . | toJson }} }
`,
  );
  return copy;
}

export function helm(
  args: string[],
  input?: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      programPath('helm'),
      args,
      { maxBuffer: 2 ** 26 },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.end(input ?? '');
  });
}

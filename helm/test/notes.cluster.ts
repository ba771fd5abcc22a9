import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { parse } from 'yaml';
import { chartWithNotes, helm, valueSets } from './chart.js';

describe('the notes', () => {
  needs('helm');
  let copy: string;

  before(async () => void (copy = await chartWithNotes()));

  const notesOf = async (name: string, more: string[] = []): Promise<string> => {
    const { file, kubeVersion } = valueSets.find((set) => set.name === name)!;
    const args = ['template', 'parley', copy, '--namespace', 'voice', '--values', file];
    const shown = ['--kube-version', kubeVersion, '--show-only', 'templates/notes.yaml'];
    const { stdout, stderr } = await helm([...args, ...shown, ...more]);
    return (parse(stdout) as { data: { notes: string } } | null)?.data.notes ?? stderr;
  };

  for (const { name } of valueSets)
    it(`tell with ${name} what Redis must be`, async () => {
      const notes = await notesOf(name);
      expect(notes).to.include('6.2').and.include('noeviction').and.include('appendonly yes');
      expect(notes)
        .to.match(/^Parley \d/)
        .and.not.match(/\n\n\n|<no value>/);
    });

  it('tell where it is, and how to test it', async () => {
    expect(await notesOf('production'))
      .to.include('https://parley.example.com/docs')
      .and.include('https://parley.example.com/console')
      .and.include('helm -n voice test parley');
    expect(await notesOf('alb-keda'))
      .to.include('http://parley.example.com/docs')
      .and.include('helm test needs');
    expect(await notesOf('trial')).to.include('to the Service parley-api');
  });

  it('tell what a network policy cannot know', async () => {
    expect(await notesOf('cluster-haproxy')).to.not.include('TOOL_EGRESS_ALLOW');
    const values = ['--set', 'networkPolicy.extraEgress=null'];
    expect(await notesOf('cluster-haproxy', values))
      .to.include('TOOL_EGRESS_ALLOW contains crm.internal:')
      .and.not.include('contains 10.40.0.0/16')
      .and.not.include('contains [fd00::7]:8443');
  });

  it('tell that a network policy blocks the collector of traces, unless it is let through', async () => {
    const traced = ['--set', 'settings.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318'];
    const blocked = 'OTEL_EXPORTER_OTLP_ENDPOINT is http://collector:4318: the network policies';
    expect(await notesOf('trial', traced)).to.include(blocked);
    for (const set of ['cluster-haproxy', 'old-cluster'])
      expect(await notesOf(set, traced), set).to.not.include(blocked);
    expect(await notesOf('trial')).to.not.include('OTEL');
  });

  it('warn of what weakens the installation', async () => {
    expect(await notesOf('old-cluster'))
      .to.include('migration.enabled is false')
      .and.include('not ready within 420 s')
      .and.include('networkPolicy.enabled is false');
    expect(await notesOf('trial')).to.include('It is for evaluation only.');
  });
});

import { expect } from 'chai';
import { Registry } from 'prom-client';
import { toolLimits } from '@parley/protocol';
import { toolMetrics } from '#src/tools/tool-metrics.js';

describe('the metrics of tools', () => {
  it('count every call, and time those whose tool was run', async () => {
    const registry = new Registry();
    const metrics = toolMetrics(registry);
    metrics.finished('http', { ending: 'succeeded', executionMs: 1500 });
    metrics.finished('http', {
      ending: 'timed_out',
      executionMs: toolLimits.timeoutSeconds * 1000,
    });
    metrics.finished('http', { ending: 'rejected', executionMs: 0 });
    const text = await registry.metrics();
    const lines = (name: string) => text.split('\n').filter((line) => line.startsWith(name));
    expect(lines('parley_tool_calls_total')).to.deep.equal([
      'parley_tool_calls_total{kind="http",ending="succeeded"} 1',
      'parley_tool_calls_total{kind="http",ending="timed_out"} 1',
      'parley_tool_calls_total{kind="http",ending="rejected"} 1',
    ]);
    expect(lines('parley_tool_call_seconds_sum')).to.deep.equal([
      'parley_tool_call_seconds_sum{kind="http",ending="succeeded"} 1.5',
      'parley_tool_call_seconds_sum{kind="http",ending="timed_out"} 600',
    ]);
    expect(text)
      .to.include('parley_tool_call_seconds_bucket{le="1",kind="http",ending="succeeded"} 0')
      .and.include('parley_tool_call_seconds_bucket{le="2.5",kind="http",ending="succeeded"} 1')
      .and.include('parley_tool_call_seconds_bucket{le="300",kind="http",ending="timed_out"} 0')
      .and.include('parley_tool_call_seconds_bucket{le="600",kind="http",ending="timed_out"} 1');
  });

  it('are the same for apps that share a registry', () => {
    const registry = new Registry();
    expect(toolMetrics(registry)).to.equal(toolMetrics(registry));
  });
});

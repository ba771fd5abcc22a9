import { expect } from 'chai';
import type { Tool } from '@parley/protocol';
import { checkTools, subagentIds } from '#src/agents/tool-rules.js';

const weather = {
  kind: 'http',
  name: 'get_weather',
  description: 'Tells the weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  method: 'GET',
  url: 'https://weather.example/v1/{{city}}',
} satisfies Tool;
const clock: Tool = { kind: 'builtin', name: 'current_time' };
const helper = '99999999-9999-4999-8999-999999999999';
const context = { secretNames: new Set(['KEY']), callableAgents: new Set([helper]) };

const pathsOf = (...tools: Tool[]) => checkTools(tools, context).map(({ path }) => path);
const withUrl = (url: string): Tool => ({ ...weather, url });
const withHeaders = (headers: Record<string, string>): Tool => ({ ...weather, headers });

describe('the tools of an agent', () => {
  const fine: [string, Tool][] = [
    ['an argument in the path', weather],
    ['an argument in the query', withUrl('https://weather.example/?q={{city}}')],
    ['a secret in a header', withHeaders({ Authorization: 'Bearer {{secret:KEY}}' })],
    [
      'a body with POST',
      { ...weather, method: 'POST', body: '{"city": {{city}}, "key": "{{secret:KEY}}"}' },
    ],
    [
      'a sub-agent, named in any case',
      { kind: 'subagent', name: 'x', agentId: helper.toUpperCase() },
    ],
    ['a server', { kind: 'mcp', name: 'docs', serverUrl: 'https://mcp.example/mcp' }],
  ];
  for (const [title, tool] of fine)
    it(`may have ${title}`, () => {
      expect(pathsOf(tool)).to.deep.equal([]);
    });

  const refused: [string, Tool, string][] = [
    ['a host from an argument', withUrl('https://{{city}}/x'), '/tools/0/url'],
    ['a port from an argument', withUrl('https://host:{{city}}/x'), '/tools/0/url'],
    ['a secret in the URL', withUrl('https://host/{{secret:KEY}}'), '/tools/0/url'],
    ['another scheme', withUrl('file:///etc/passwd'), '/tools/0/url'],
    ['credentials in the URL', withUrl('https://a:b@host/'), '/tools/0/url'],
    ['a line break in the URL', withUrl('https://host/a\r\nb'), '/tools/0/url'],
    ['a placeholder that is no parameter', withUrl('https://host/{{town}}'), '/tools/0/url'],
    ['an unclosed placeholder', withUrl('https://host/{{city'), '/tools/0/url'],
    [
      'a header of the connection',
      withHeaders({ 'Transfer-Encoding': 'chunked' }),
      '/tools/0/headers/Transfer-Encoding',
    ],
    ['a header named twice', withHeaders({ 'X-A': '1', 'x-a': '2' }), '/tools/0/headers/x-a'],
    ['an unknown secret', withHeaders({ A: '{{secret:OTHER}}' }), '/tools/0/headers/A'],
    ['an unknown reference', { ...weather, secretRefs: ['OTHER'] }, '/tools/0/secretRefs/0'],
    ['a body with GET', { ...weather, body: 'x' }, '/tools/0/body'],
    [
      'a remote schema',
      { ...weather, parameters: { properties: { city: { $ref: 'https://x/' } } } },
      '/tools/0/parameters/properties/city/$ref',
    ],
    [
      'a sub-agent that it may not call',
      { kind: 'subagent', name: 'x', agentId: '11111111-1111-4111-8111-111111111111' },
      '/tools/0/agentId',
    ],
    [
      'an argument in the header of a server',
      { kind: 'mcp', name: 'x', serverUrl: 'https://host/', headers: { A: '{{city}}' } },
      '/tools/0/headers/A',
    ],
  ];
  for (const [title, tool, path] of refused)
    it(`may not have ${title}`, () => {
      expect(pathsOf(tool)).to.deep.equal([path]);
    });

  it('may not share a name', () => {
    expect(pathsOf(clock, weather, clock)).to.deep.equal(['/tools/2/name']);
  });

  it('name their sub-agents in lower case', () => {
    const tool: Tool = { kind: 'subagent', name: 'x', agentId: helper.toUpperCase() };
    expect(subagentIds([clock, tool])).to.deep.equal([helper]);
  });
});

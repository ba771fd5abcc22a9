import { expect } from 'chai';
import { emptyForm, formOf, toolOf } from '#src/pages/agents/tool-form.js';

const refund = {
  kind: 'http',
  name: 'refund_order',
  description: 'Refund an order.',
  title: 'Refunding',
  method: 'POST',
  url: 'https://shop.example.com/orders/{{number}}/refunds',
  headers: { Authorization: 'Bearer {{secret:SHOP}}' },
  body: '{"amount": {{amount}}}',
  parameters: {
    type: 'object',
    properties: {
      number: { type: 'integer', description: 'Of the order.', minimum: 1 },
      amount: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    },
    required: ['number'],
    additionalProperties: false,
  },
  approvalRequired: true,
  approvers: ['api'],
  timeoutSeconds: 20,
  imageUrl: 'https://shop.example.com/a.png',
  button: { label: 'Open', link: 'https://shop.example.com' },
  secretRefs: ['SHOP'],
};

describe('the form of a tool', () => {
  const kinds = [
    refund,
    {
      kind: 'mcp',
      name: 'weather',
      serverUrl: 'https://mcp.example.com/mcp',
      headers: { 'X-Key': '{{secret:KEY}}' },
      allowedTools: ['forecast'],
      approvalPolicy: { default: 'never', tools: { delete_file: 'always' } },
    },
    { kind: 'subagent', name: 'ask', description: 'Ask.', agentId: 'a-b' },
    { kind: 'builtin', name: 'create_task', approvalRequired: true, approvers: ['client'] },
  ];
  for (const tool of kinds)
    it(`loses nothing of a tool of the kind ${tool.kind}`, () => {
      expect(toolOf(formOf(tool))).to.deep.equal(tool);
    });

  it('keeps what it cannot show as the JSON has it', () => {
    const odd = {
      kind: 'http',
      name: 7,
      description: '',
      method: 'GET',
      url: '',
      headers: { A: 1 },
      parameters: { $ref: '#/x' },
      approvers: ['api', 'api'],
      button: { label: 'x', colour: 'red' },
      timeoutSeconds: 'soon',
      unknown: [1],
      __proto__x: 1,
    };
    const form = formOf(odd);
    expect([form.name, form.headers, form.parameters]).to.deep.equal(['', [], []]);
    expect(toolOf(form)).to.deep.equal(odd);
  });

  it('leaves out what is empty, but for what the API must have', () => {
    expect(toolOf(emptyForm)).to.deep.equal({
      kind: 'http',
      name: '',
      description: '',
      method: 'GET',
      url: '',
    });
    const rows = { ...emptyForm, headers: [{ name: '', value: 'x' }], timeoutSeconds: '12' };
    expect(toolOf(rows)).to.include({ timeoutSeconds: 12 }).and.not.to.have.property('headers');
  });

  it('writes arguments in a schema, and takes both approvers as none named', () => {
    const row = { name: 'city', type: 'string', description: 'Where.', required: true, rest: {} };
    const form = { ...emptyForm, parameters: [row, { ...row, name: '' }] } as typeof emptyForm;
    expect(toolOf(form)).to.deep.include({
      parameters: {
        type: 'object',
        properties: { city: { type: 'string', description: 'Where.' } },
        required: ['city'],
      },
    });
    expect(formOf({ kind: 'builtin', approvers: ['api', 'client'] }).approvers).to.equal('both');
  });
});

import { expect } from 'chai';
import type { OrganizationScope, RunnableAgent, SecretBox } from '@parley/database';
import { bindTools, type BindPorts } from '#src/tools/bind-tools.js';
import { unsealAgent } from '#src/load-agent.js';

const agent = { id: 'ada', connectionId: null, fallbackConnectionIds: [] };
const tools = Array.from({ length: 64 }, (_, n) => ({
  kind: 'http',
  name: `tool_${n}`,
  description: 'd',
  method: 'GET',
  url: 'https://tools.example/',
}));

describe('the secrets of an agent', () => {
  let opened = 0;
  const secretBox = {
    open(sealed: Buffer) {
      opened += 1;
      return sealed.toString();
    },
  } as unknown as SecretBox;
  const unseal = (version: object) =>
    unsealAgent(
      {} as OrganizationScope,
      {
        agent: version as RunnableAgent,
        secrets: [{ name: 'KEY', secret: Buffer.from('s3cret').toString('base64') }],
        connections: [],
      },
      secretBox,
    );

  it('are kept once for all who share a version of it', async () => {
    const version = { ...agent, tools };
    const first = await unseal(version);
    const second = await unseal(version);
    expect(opened).to.equal(1);
    expect(second.secrets).to.equal(first.secrets);
    expect(second.redact).to.equal(first.redact);
    const other = await unseal({ ...version });
    expect(opened).to.equal(2);
    expect(other.redact).not.to.equal(first.redact);
    expect(other.redact('s3cret')).to.equal('[secret]');
  });

  it('are not read when its tools are bound', async () => {
    const loaded = await unseal({ ...agent, tools });
    let read = 0;
    const secrets = new Map(loaded.secrets);
    secrets.values = () => {
      read += 1;
      return loaded.secrets.values();
    };
    const { tools: bound } = await bindTools({ ...loaded, secrets }, {} as BindPorts);
    expect(bound.size).to.equal(64);
    expect(read).to.equal(0);
  });
});

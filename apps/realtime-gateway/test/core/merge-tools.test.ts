import { expect } from 'chai';
import { merging, Session, tool } from './merging.js';

const empty = { type: 'object', properties: {} };

describe('the tools that a client asks for', () => {
  it('stand beside those of the agent and of the session’s creation', () => {
    const session = new Session().update({ tools: [tool('dance', { strict: true })] });
    expect(session.asked[0]?.['tools']).to.deep.equal([
      { ...tool('lookup'), description: 'Looks up.', parameters: { type: 'object' } },
      { ...tool('show_map'), description: 'Shows a map.', parameters: empty },
      { ...tool('dance'), parameters: empty },
    ]);
    expect(session.left).to.be.empty;
  });

  it('replace those of the update before, and one of the same name from the creation', () => {
    const session = new Session().update({ tools: [tool('dance'), tool('show_map')] });
    expect(session.toolNames).to.deep.equal(['lookup', 'dance', 'show_map']);
    expect(session.update({ tools: [tool('sing')] }).toolNames).to.deep.equal([
      'lookup',
      'show_map',
      'sing',
    ]);
    expect(session.update({ tools: [] }).toolNames).to.deep.equal(['lookup', 'show_map']);
    session.update({ voice: 'ash' });
    expect(session.asked.at(-1)).to.not.have.property('tools');
  });

  it('are left out one by one where they are none, or not the client’s to name', () => {
    const tools = [
      tool('lookup'),
      tool('dance'),
      tool('dance'),
      tool(''),
      tool('two words'),
      tool('plain', { description: '' }),
      tool('deep', { parameters: { type: 'array' } }),
      tool('Lookup', { parameters: null }),
      tool('__proto__'),
      { type: 'mcp', server_label: 'x' },
      { name: 'typeless', description: 'x' },
      null,
      [],
      tool(7),
    ];
    const session = new Session().update({ tools });
    const wanted = ['lookup', 'show_map', 'dance', 'Lookup', '__proto__'];
    expect(session.toolNames).to.deep.equal(wanted);
    const indexes = [0, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13];
    expect(session.left).to.deep.equal(indexes.map((n) => `tools[${n}]`));
  });

  it('need no notice where they repeat the agent’s own', () => {
    const echoed = { ...tool('lookup'), description: 'Looks up.', parameters: { type: 'object' } };
    expect(new Session().update({ tools: [echoed] }).left).to.be.empty;
  });

  it('are all left out where there are too many', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => tool(`t${n}`));
    const session = new Session().update({ tools: many(63) });
    expect(session.toolNames).to.have.length(65);
    expect(session.update({ tools: many(64) }).left).to.deep.equal(['tools']);
    expect(session.update({ tools: many(1000) }).left).to.deep.equal(['tools', 'tools']);
    expect(session.asked.at(-1)).to.deep.equal({ type: 'realtime' });
    expect(session.state.overrides.tools).to.have.length(63);
  });

  it('are the client’s to answer, even those that it has just taken back', () => {
    const session = new Session().update({ tools: [tool('dance')] }).begin();
    session.update({ tools: [tool('sing')] });
    session.call('d', 'dance').call('s', 'sing').call('n', 'never').end();
    expect(session.started).to.deep.equal(['never n']);
    session.answer('d').answer('s');
    expect(session.refusals).to.be.empty;
  });

  it('show in a redacted echo', () => {
    const settings = { ...merging.settings, redactSessionEcho: 'tools' } as const;
    const session = new Session({ ...merging, settings }).update({ tools: [tool('dance')] });
    const tools = ['lookup', 'show_map', 'dance'].map((name) => tool(name));
    session.provider('session.updated', { session: { tools } });
    const echo = String(session.of('send_client').at(-1)?.frame.data);
    expect(echo).to.include('dance').and.not.include('lookup');
  });

  it('are forgotten in the end, however many there were', () => {
    const session = new Session();
    for (let n = 0; n < 400; n += 1) session.update({ tools: [tool(`t${n}`)] });
    expect(session.state.overrides.formerTools).to.have.length(256);
  });
});

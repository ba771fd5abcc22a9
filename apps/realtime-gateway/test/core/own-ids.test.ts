import { expect } from 'chai';
import { ownId, ownKind } from '#src/core/own-ids.js';
import { Conversation } from './conversation.js';
import { codeFor, running } from './settings.js';

describe('the ids of what the service itself sends', () => {
  const other = () => 'AAAAAAAAAAAA';
  const longest = ownId(codeFor, 'history', 999_999);

  it('are known by the session’s codes alone', () => {
    expect(ownKind(codeFor, ownId(codeFor, 'output', 3))).to.equal('output');
    expect(ownKind(other, ownId(codeFor, 'output', 3))).to.equal(undefined);
    for (const id of ['gw_output_3', 'gw_output_3_', 'gw_output_3_AAAAAAAAAAAA', 'gw_', ''])
      expect(ownKind(codeFor, id), id).to.equal(undefined);
  });

  it('fit into what a provider takes', () => {
    expect(longest.length).to.be.at.most(32);
    expect(longest).to.match(/^[\w-]+$/);
  });

  it('differ from session to session, so that a client cannot take one before the service does', () => {
    const outputOf = (codes: typeof codeFor) => {
      const talk = new Conversation();
      talk.state = { ...running, settings: { ...running.settings, codeFor: codes } };
      return talk.begin().call('c', 'lookup').end().finish('c').sent[0]?.event_id;
    };
    expect(outputOf(codeFor)).to.not.equal(outputOf(other));
  });

  it('are not mistaken: the provider’s error about a client’s look-alike reaches the client and changes nothing', () => {
    const talk = new Conversation().begin().call('c', 'lookup').end().finish('c');
    const before = talk.state.turn;
    const error = { code: 'x', event_id: 'gw_create_2_AAAAAAAAAAAA' };
    talk.provider('error', { error });
    expect(talk.of('report')).to.be.empty;
    expect(talk.of('send_client').at(-1)?.frame.data.toString()).to.include('gw_create_2_');
    expect(talk.state.turn).to.equal(before);
  });
});

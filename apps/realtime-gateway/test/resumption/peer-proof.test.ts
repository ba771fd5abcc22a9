import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createPeerProof } from '#src/resumption/peer-proof.js';

const key = () => randomBytes(32).toString('base64');
const url = '/api/v1/Agent/a/realtime?resume=token&received=3';
const headers = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
const request = { url, headers };

describe('the proof of a gateway', () => {
  const shared = key();
  const proof = createPeerProof([shared], () => 1_000_000);
  const proven = { url, headers: { ...headers, ...proof.headersFor(request, '203.0.113.1') } };

  it('is accepted by others with the same key, and names the client', () => {
    const other = createPeerProof([shared], () => 1_030_000);
    expect(other.clientOf(proven)).to.equal('203.0.113.1');
  });

  it('is accepted while the key is being changed', () => {
    const other = createPeerProof([key(), shared], () => 1_000_000);
    expect(other.clientOf(proven)).to.equal('203.0.113.1');
  });

  it('is not accepted from another deployment, nor if it is old or from the future', () => {
    expect(createPeerProof([key()], () => 1_000_000).clientOf(proven)).to.equal(undefined);
    for (const now of [0, 1_060_001, 1e15])
      expect(createPeerProof([shared], () => now).clientOf(proven)).to.equal(undefined);
  });

  it('is not accepted for anything but the same request', () => {
    const changes = [
      { ...proven, url: `${url}4` },
      ...Object.keys(proven.headers).flatMap((name) => [
        { url, headers: { ...proven.headers, [name]: 'other' } },
        { url, headers: { ...proven.headers, [name]: undefined } },
        { url, headers: { ...proven.headers, [name]: '' } },
      ]),
      { url, headers: { ...proven.headers, 'x-parley-peer-time': 'NaN' } },
      { url, headers },
    ];
    for (const changed of changes)
      expect(proof.clientOf(changed), JSON.stringify(changed)).to.equal(undefined);
  });

  it('does not contain the key', () => {
    const sent = JSON.stringify(proven);
    expect(sent).to.not.include(shared);
  });
});

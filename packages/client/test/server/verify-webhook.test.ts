import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { verifyWebhook } from '#src/server/index.js';
import { failureOf } from './support/scripted-service.js';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const now = () => Math.floor(Date.now() / 1000);

describe('verifyWebhook', () => {
  const secret = newSecret();
  const event = { type: 'task.changed', timestamp: '2030-01-31T16:00:00.000Z', data: { id: 'ä' } };
  const body = JSON.stringify(event);

  const signature = (key = secret, at = now(), signed = body) =>
    createHmac('sha256', Buffer.from(key.slice('whsec_'.length), 'base64'))
      .update(`msg_1.${at}.${signed}`)
      .digest('base64');
  const headersWith = (signatures: string, at: number | string = now()) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': signatures,
  });
  const headers = headersWith(`v1,${signature()}`);
  const reasonOf = async (request: Partial<Parameters<typeof verifyWebhook>[0]>) =>
    (await failureOf(verifyWebhook({ body, headers, secret, ...request }))) as { reason: string };

  it('returns the event, whatever kind of body and headers it gets', async () => {
    const bytes = new TextEncoder().encode(body);
    for (const form of [body, bytes, bytes.buffer, Buffer.from(body)])
      expect(await verifyWebhook({ body: form, headers, secret })).to.deep.equal(event);
    const named = { 'Webhook-Id': 'msg_1', 'Webhook-Timestamp': headers['webhook-timestamp'] };
    for (const form of [
      new Headers(headers),
      { ...named, 'WEBHOOK-SIGNATURE': headers['webhook-signature'], accept: ['a', 'b'] },
    ])
      expect(await verifyWebhook({ body, headers: form, secret })).to.deep.equal(event);
  });

  it('takes one of several signatures, and one of several secrets', async () => {
    const rotating = headersWith(`v1,${signature(newSecret())} v2,x v1,%% v1,${signature()}`);
    expect(await verifyWebhook({ body, headers: rotating, secret })).to.deep.equal(event);
    const secrets = [newSecret(), secret];
    expect(await verifyWebhook({ body, headers, secret: secrets })).to.deep.equal(event);
  });

  for (const [what, changed] of [
    ['another body', { body: `${body} ` }],
    ['another secret', { secret: newSecret() }],
    ['no secret at all', { secret: [] }],
    ['another id', { headers: { ...headers, 'webhook-id': 'msg_2' } }],
    ['another time', { headers: { ...headers, 'webhook-timestamp': String(now() - 1) } }],
    ['a signature of another version', { headers: headersWith(`v2,${signature()}`) }],
    ['half a signature', { headers: headersWith(`v1,${signature().slice(0, 20)}`) }],
    ['an empty signature', { headers: headersWith('v1,') }],
    ['nonsense', { headers: headersWith(', v1,💥 v1') }],
  ] as const)
    it(`refuses ${what}`, async () => {
      expect(await reasonOf(changed)).to.include({
        name: 'ParleyWebhookError',
        reason: 'signature-wrong',
      });
    });

  it('refuses what is too old or comes from the future', async () => {
    const sentAt = (at: number) => ({ headers: headersWith(`v1,${signature(secret, at)}`, at) });
    expect(await reasonOf(sentAt(now() - 302))).to.have.property('reason', 'too-old');
    expect(await reasonOf(sentAt(now() + 302))).to.have.property('reason', 'too-new');
    const old = { body, secret, ...sentAt(now() - 302), toleranceSeconds: 600 };
    expect(await verifyWebhook(old)).to.deep.equal(event);
  });

  it('refuses requests that lack a header, or whose time is none', async () => {
    for (const name of Object.keys(headers))
      expect(await reasonOf({ headers: { ...headers, [name]: undefined } })).to.have.property(
        'reason',
        'headers-missing',
      );
    for (const at of ['soon', '-1', '1e9', ' ', '']) {
      const reason = await reasonOf({ headers: headersWith(`v1,${signature()}`, at) });
      expect(reason).to.have.property('reason', 'headers-missing');
    }
  });

  it('refuses what is signed and no JSON', async () => {
    const signed = headersWith(`v1,${signature(secret, now(), 'x')}`);
    const reason = await reasonOf({ body: 'x', headers: signed });
    expect(reason).to.have.property('reason', 'body-malformed');
  });

  it('says what to do when it is used in another way', async () => {
    const parsed = { body: event as never };
    expect(await reasonOf(parsed))
      .to.have.property('message')
      .that.includes('express.raw()');
    for (const wrong of ['', 'whsec_', 'whsec_%'])
      expect(await reasonOf({ secret: wrong })).to.include({ code: 'argument-invalid' });
  });
});

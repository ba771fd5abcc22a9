import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { parseUpgrade } from '#src/admission/upgrade-request.js';
import { createSocketServer } from '#src/relay/client-socket.js';

const ids = 'conversationId=4f1c6a52-0f7a-4a4e-9d55-3c1f1d0e8a11';
const token = 'x'.repeat(43);
const urls = {
  'a session': `/api/v1/Agent/a/realtime?${ids}&sessionId=${token}`,
  'a resume': `/api/v1/Agent/a/realtime?${ids}&resume=${token}&received=0`,
};

const ignore = (): void => undefined;

describe('an upgrade', () => {
  const sockets = createSocketServer(1000);
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  const requestOf = (url: string, more: object) =>
    ({ method: 'GET', url, headers: { ...headers, ...more } }) as IncomingMessage;
  const parse = (request: IncomingMessage) =>
    parseUpgrade(request, { allowedOrigins: [], door: false });
  const isTakenByWs = (request: IncomingMessage): boolean => {
    let isTaken = false;
    const socket = new Duplex({ read: ignore, write: ignore });
    sockets.handleUpgrade(request, socket, Buffer.alloc(0), (client) => {
      isTaken = true;
      client.terminate();
    });
    socket.destroy();
    return isTaken;
  };
  /** HTTP removes the blanks around a header. */
  const protocols = fc
    .array(fc.constantFrom('realtime', 'a', 'B', '!', ',', ',', ' ', '\t', '"', '/', '\u00a0'))
    .map((parts) => parts.join('').replace(/^[ \t]*|[ \t]*$/g, ''));

  for (const [what, url] of Object.entries(urls)) {
    it(`of ${what} passes if ws takes its subprotocols, and is malformed otherwise`, () => {
      fc.assert(
        fc.property(protocols, (offered) => {
          const request = requestOf(url, { 'sec-websocket-protocol': offered });
          const parsed = parse(request);
          expect(parsed.kind !== 'refused').to.equal(isTakenByWs(request));
          if (parsed.kind === 'refused') expect(parsed.reason).to.equal('request-malformed');
        }),
        fuzz(200),
      );
    });

    it(`of ${what} needs no subprotocol, and may offer any extension`, () => {
      for (const more of [{}, { 'sec-websocket-extensions': ';;=,' }]) {
        const request = requestOf(url, more);
        expect(parse(request).kind).not.to.equal('refused');
        expect(isTakenByWs(request)).to.equal(true);
      }
    });
  }
});

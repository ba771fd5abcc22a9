import { createServer } from 'node:net';
import { expect } from 'chai';
import { listen } from '#src/listen.js';

describe('listen', () => {
  it('keeps a server alive that cannot accept a connection', async () => {
    const server = createServer();
    await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    try {
      expect(() => server.emit('error', new Error('accept EMFILE'))).not.to.throw();
      expect(server.listening).to.equal(true);
    } finally {
      server.close();
    }
  });
});

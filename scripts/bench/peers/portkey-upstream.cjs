// Loaded into Portkey: dials the benchmark's provider, without TLS, where Portkey dials OpenAI.
const net = require('node:net');
const process = require('node:process');
const tls = require('node:tls');

const dial = tls.connect;
tls.connect = (options, ...more) =>
  [options?.host, options?.servername].includes('api.openai.com')
    ? net.connect({ host: '127.0.0.1', port: Number(process.env.PROVIDER_PORT) })
    : dial(options, ...more);

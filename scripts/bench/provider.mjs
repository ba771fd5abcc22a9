// Stands in for a provider: opens sessions, and answers each audio frame with one of the same size.
// An answer ends after five seconds.
//
//   node provider.mjs [MILLISECONDS]     that each handshake takes
import { WebSocketServer } from 'ws';

process.on('disconnect', () => process.exit());
/** Five seconds of pcm16 at 24 kHz, in base64. */
const answerLength = (5 * 24_000 * 2 * 4) / 3;
const before =
  '{"type":"response.output_audio.delta","event_id":"event_0","response_id":"resp_0","delta":"';
const handshakeMs = Number(process.argv[2] ?? 0);
const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  perMessageDeflate: false,
  verifyClient: (_client, accept) => setTimeout(accept, handshakeMs, true),
});
server.on('listening', () => process.send({ kind: 'port', port: server.address().port }));
server.on('connection', (socket) => {
  socket.on('error', () => undefined);
  socket.send('{"type":"session.created","event_id":"event_1","session":{}}');
  let [answers, spoken] = [0, 0];
  socket.on('message', (data) => {
    const text = data.toString('latin1');
    const at = text.indexOf('"audio":"');
    if (text.startsWith('{"type":"input_audio_buffer.append"')) {
      const audio = text.slice(at + 9, -2);
      socket.send(`${before}${audio}"}`);
      spoken += audio.length;
      if (spoken < answerLength) return;
      spoken -= answerLength;
      answers += 1;
      socket.send(answer(answers));
    } else socket.send('{"type":"session.updated","event_id":"event_2","session":{}}');
  });
});

function answer(n) {
  return JSON.stringify({
    type: 'response.output_audio_transcript.done',
    event_id: 'event_3',
    response_id: 'resp_0',
    item_id: `item_${n}`,
    content_index: 0,
    transcript: 'An answer of ordinary length, as an agent would give it to somebody who asks.',
  });
}

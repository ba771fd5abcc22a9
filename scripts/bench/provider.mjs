// A fake provider: opens sessions, and answers each audio frame with one of the same size; every
// 50th ends an answer.
import { WebSocketServer } from 'ws';
import { report } from './report.mjs';

const before =
  '{"type":"response.output_audio.delta","event_id":"event_0","response_id":"resp_0","delta":"';
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('listening', () => report(server.address().port));
server.on('connection', (socket) => {
  socket.on('error', () => undefined);
  socket.send('{"type":"session.created","event_id":"event_1","session":{}}');
  let frames = 0;
  socket.on('message', (data) => {
    const text = data.toString('latin1');
    const at = text.indexOf('"audio":"');
    if (text.startsWith('{"type":"input_audio_buffer.append"')) {
      socket.send(`${before}${text.slice(at + 9, -2)}"}`);
      frames += 1;
      if (frames % 50 === 0) socket.send(answer(frames / 50));
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

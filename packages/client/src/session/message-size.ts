import { ParleyError } from '../errors.js';
import type { Answer } from './tools.js';

/** The service's default for REALTIME_MAX_MESSAGE_BYTES: a larger message ends the session. */
export const defaultMaxMessageBytes = 65_536;

/** Names, ids and brackets around the content of a message. */
const envelopeBytes = 512;

/** Throws if a message with this content would end the session. */
export function mustFit(content: unknown, maxBytes: number): void {
  if (fits(content, maxBytes)) return;
  const message = `This is larger than a message may be, ${maxBytes} bytes. If your service allows more, pass \`maxMessageBytes\`.`;
  throw new ParleyError('argument-invalid', message);
}

/** The answer of a tool, or an error in its place that tells the model that it is too large. */
export function fitting(answer: Answer, maxBytes: number): Answer {
  if (fits(answer.output, maxBytes)) return answer;
  const error = `The output is larger than ${maxBytes - envelopeBytes} bytes. Ask for less.`;
  return { ok: false, output: JSON.stringify({ error }) };
}

function fits(content: unknown, maxBytes: number): boolean {
  const json = JSON.stringify(content);
  const room = maxBytes - envelopeBytes;
  // No character takes more than three bytes, so most are not counted.
  return json.length * 3 <= room || new TextEncoder().encode(json).length <= room;
}

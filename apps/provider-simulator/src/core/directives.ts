// Directives: words in the user's text (typed, or recognised in speech) or in the instructions of a
// `response.create` that tell the simulator exactly what to do. `!name` starts one; what follows,
// up to the next directive, is its argument. Text without a directive is left to the brain.

export const directives = {
  say: 'TEXT. Answers with TEXT.',
  call: 'NAME JSON. Calls a function, declared or not; several make parallel calls of one response. Arguments that are not JSON are sent as they are.',
  delay: 'MS. Waits before what follows.',
  burst: 'BYTES. Sends that much audio as fast as possible, in deltas of ordinary size.',
  oversize: 'BYTES. Sends that much audio in one single delta.',
  fail: 'CODE. Ends the response as failed with that error code.',
  incomplete:
    'REASON. Ends the response as incomplete: max_output_tokens (default) or content_filter.',
  error: 'CODE. Sends an error event with that code; the session continues.',
  raw: 'TEXT. Sends TEXT as one text frame, whatever it is: unknown events, other vendors’ events, broken JSON.',
  binary: 'BYTES. Sends one binary frame of that size.',
  late: 'MS. The transcription of this turn comes that much later.',
  untranscribed: 'CODE. The transcription of this turn fails with that code.',
  expire: 'ID. Sends the error session_expired and closes with 1001.',
  close: 'CODE ID. Closes the socket in the middle of the response.',
  drop: 'ID. Cuts the connection without a closing handshake.',
  hang: 'ID. Goes silent: sends and answers nothing any more, not even pings.',
  away: 'MS ID. Cuts the connection, and refuses others with 503 for that long. Each of these that has an ID happens only once: a conversation that is replayed on another connection continues there.',
} as const;

export type DirectiveName = keyof typeof directives;
export type Directive = { name: DirectiveName; argument: string };

const names = Object.keys(directives).join('|');

export function parseDirectives(text: string): Directive[] {
  const starts = [...text.matchAll(new RegExp(`(?<=^|\\s)!(${names})(?=\\s|$)`, 'g'))];
  return starts.map((match, i) => ({
    name: match[1] as DirectiveName,
    argument: text.slice(match.index + match[0].length, starts[i + 1]?.index).trim(),
  }));
}

/** No directive asks for more than this, bytes or milliseconds: 64 MiB, 18 hours. */
const most = 64 * 1024 * 1024;

/** A directive's number, or the fallback if it is not a number. */
export function numberIn(directive: Directive, fallback: number): number {
  const value = Number.parseInt(directive.argument, 10);
  return Number.isFinite(value) && value >= 0 ? Math.min(value, most) : fallback;
}

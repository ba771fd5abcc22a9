import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { openAiRefusal, RealtimeError, type Problem } from '@parley/protocol';

export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string;
};

export function answerFor(error: Problem | RealtimeError): HttpAnswer {
  const domain = error instanceof RealtimeError;
  const body = JSON.stringify(error.body());
  return {
    status: domain ? 400 : error.status,
    headers: {
      ...(domain ? {} : error.headers),
      'Content-Type': domain ? 'application/json' : 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      Connection: 'close',
    },
    body,
  };
}

/** The same for clients of OpenAI. */
export function openAiAnswerFor(error: Problem | RealtimeError): HttpAnswer {
  const { status, headers, body: refusal } = openAiRefusal(error);
  const body = JSON.stringify(refusal);
  return {
    status,
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      Connection: 'close',
    },
    body,
  };
}

/** Ends an upgrade that is still HTTP: Node has handed the socket over, so the response is written by hand. */
export function answerUpgrade(socket: Duplex, { status, headers, body }: HttpAnswer): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines].join('\r\n');
  socket.once('finish', () => socket.destroy());
  socket.end(`${head}\r\n\r\n${body}`);
}

export function answerRequest(response: ServerResponse, answer: HttpAnswer): void {
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

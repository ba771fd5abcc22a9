import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import OpenAI, { APIError } from 'openai';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import type { QuestionStage } from './question-stage.js';

/** OpenAI's own client, with nothing changed but its base URL and key. */
export function openAiClient(stage: QuestionStage, apiKey: string, more: object = {}): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${stage.api.url}/v1`, maxRetries: 0, ...more });
}

export async function refusal(asked: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(asked).then(
    () => expect.fail('The request was accepted.'),
    (err: unknown) => err,
  );
  if (error instanceof APIError) return error as APIError<number | undefined, Headers>;
  throw error;
}

export function callsIn({ choices }: Pick<ChatCompletion, 'choices'>) {
  return (choices[0]!.message.tool_calls ?? []).map((call) =>
    call.type === 'function'
      ? { name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }
      : expect.fail(call.type),
  );
}

export type Heard = {
  role: string;
  content: string;
  tool_calls?: { function: { name: string } }[];
};

/** A connection to the simulator on which every request is overheard, and passed on once `held` says so. */
export async function overheard(
  stage: QuestionStage,
  held: () => Promise<void> = () => Promise.resolve(),
): Promise<{ connectionId: string; heard: Heard[][] }> {
  const heard: Heard[][] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      heard.push((JSON.parse(body) as { messages: Heard[] }).messages);
      await held();
      const { origin } = new URL(stage.urls.simulator);
      const headers = { Authorization: 'Bearer x', 'Content-Type': 'application/json' };
      const answer = await fetch(origin + request.url!, { method: 'POST', headers, body });
      response.setHeader('Content-Type', 'text/event-stream');
      response.end(await answer.text());
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stage.onClose(() => server.close());
  const { port } = server.address() as AddressInfo;
  const { pathname } = new URL(stage.urls.simulator);
  const { body } = await stage.tenant.client.post('/api/v1/Connection', {
    name: 'overheard',
    kind: 'openai-compatible',
    baseUrl: `http://127.0.0.1:${port}${pathname}`,
  });
  return { connectionId: (body as { id: string }).id, heard };
}

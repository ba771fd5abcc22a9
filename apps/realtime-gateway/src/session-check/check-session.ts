import { WebSocket } from 'ws';

export type CheckedDeployment = {
  /** The address of the REST API. */
  readonly apiUrl: string;
  /** The address of the WebSockets; the two differ inside a cluster. */
  readonly realtimeUrl: string;
  readonly organizationId: string;
  readonly apiKey: string;
  /**
   * The agent to talk to; without one, an agent is created for the check and deleted afterwards.
   */
  readonly agentId: string | undefined;
  readonly timeoutMs: number;
};

/** The deployment does not work as it should. The message contains no secret and can be shown. */
export class SessionCheckError extends Error {
  override readonly name = 'SessionCheckError';
}

/**
 * Runs one real session, from its creation over REST to an answer over the WebSocket, which it
 * returns.
 */
export async function checkSession(deployment: CheckedDeployment): Promise<string> {
  const signal = AbortSignal.timeout(deployment.timeoutMs);
  const agentId = deployment.agentId ?? (await createAgent(deployment, signal));
  try {
    const { webSocketPath } = await call<{ webSocketPath: string }>(deployment, {
      path: `/api/v1/Agent/${agentId}/realtime-session`,
      method: 'POST',
      signal,
    });
    const url = new URL(webSocketPath, deployment.realtimeUrl.replace(/^http/, 'ws'));
    return await oneTurn(new WebSocket(url), signal);
  } finally {
    // With its own timeout: the agent is deleted even if the session timed out.
    if (deployment.agentId === undefined)
      await call(deployment, {
        path: `/api/v1/Agent/${agentId}`,
        method: 'DELETE',
        signal: AbortSignal.timeout(10_000),
      });
  }
}

async function createAgent(deployment: CheckedDeployment, signal: AbortSignal): Promise<string> {
  const { id } = await call<{ id: string }>(deployment, {
    path: '/api/v1/Agent',
    method: 'POST',
    body: { name: 'Session check', systemMessage: 'Answer with one short sentence.' },
    signal,
  });
  return id;
}

type Call = { path: string; method: 'POST' | 'DELETE'; body?: object; signal: AbortSignal };

async function call<Answer>(
  { apiUrl, apiKey, organizationId }: CheckedDeployment,
  { path, method, body = {}, signal }: Call,
): Promise<Answer> {
  const what = `${method} ${path}`;
  const reply = await fetch(new URL(path, apiUrl), {
    method,
    headers: {
      'X-Api-Key': apiKey,
      'X-Org-Id': organizationId,
      'Content-Type': 'application/json',
    },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
    signal,
  }).catch((cause: unknown) => {
    throw new SessionCheckError(`${what} was not answered: ${reasonOf(cause)}`, { cause });
  });
  const text = await reply.text();
  if (!reply.ok) throw new SessionCheckError(`${what} was answered ${reply.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Sends one sentence, and waits for the agent's answer. */
function oneTurn(socket: WebSocket, signal: AbortSignal): Promise<string> {
  const say = (event: object) => socket.send(JSON.stringify(event));
  return new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => reject(new SessionCheckError(reason));
    signal.addEventListener('abort', () => fail('the agent did not answer in time'));
    socket.on('error', (error) => fail(`the WebSocket failed: ${error.message}`));
    socket.on('close', (code, reason) =>
      fail(`the WebSocket was closed with ${code} ${reason.toString()}`),
    );
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return;
      const event = JSON.parse(data.toString()) as ProviderEvent;
      if (event.type === 'session.updated') {
        const content = [{ type: 'input_text', text: 'Good morning!' }];
        say({
          type: 'conversation.item.create',
          item: { type: 'message', role: 'user', content },
        });
        say({ type: 'response.create' });
      }
      if (event.type === 'error') fail(`the agent answered with an error: ${data.toString()}`);
      if (event.type === 'response.output_audio_transcript.done') resolve(event.transcript ?? '');
    });
  }).finally(() => {
    socket.on('error', () => undefined);
    socket.close();
    setTimeout(() => socket.terminate(), 1000).unref();
  });
}

type ProviderEvent = { type: string; transcript?: string };

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}

import { WebSocket } from 'ws';
import { Session } from './session.js';

export type Answer<Body = unknown> = { status: number; headers: Headers; body: Body };
export type Credentials = { organizationId: string; apiKey: string };

/** What a customer's backend does. Nothing is tried twice. */
export class ServiceClient {
  readonly #origin: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, { organizationId, apiKey }: Credentials) {
    this.#origin = origin;
    this.#headers = {
      'X-Api-Key': apiKey,
      'X-Org-Id': organizationId,
      'Content-Type': 'application/json',
    };
  }

  async request<Body = unknown>(
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer<Body>> {
    const response = await fetch(`${this.#origin}/api/v1${path}`, {
      method,
      headers: this.#headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = (text === '' ? undefined : JSON.parse(text)) as Body;
    return { status: response.status, headers: response.headers, body: parsed };
  }

  /** The id of a new agent. */
  async createAgent(tools: object[] = []): Promise<string> {
    const agent = { name: 'Ada', systemMessage: 'Be kind.', tools };
    const { status, body } = await this.request<{ id: string }>('POST', '/Agent', agent);
    if (status !== 201) throw new Error(`no agent: ${status} ${JSON.stringify(body)}`);
    return body.id;
  }

  /** Creates a session and answers with the path of its socket. */
  async issue(agentId: string): Promise<string> {
    const path = `/Agent/${agentId}/realtime-session`;
    const { status, body } = await this.request<{ webSocketPath: string }>('POST', path, {});
    if (status !== 200) throw new Error(`no session: ${status} ${JSON.stringify(body)}`);
    return body.webSocketPath;
  }

  /** Creates a session and opens it, here or at another origin; it is ready for the client's events. */
  async connect(agentId: string, origin = this.#origin): Promise<Session> {
    const path = await this.issue(agentId);
    return Session.open(new WebSocket(origin.replace(/^http/, 'ws') + path, noCompression));
  }
}

const noCompression = { perMessageDeflate: false };

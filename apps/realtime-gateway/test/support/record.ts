import { Client } from 'pg';
import { waitFor } from '@parley/testkit';
import { insertConversation } from './organization.js';
import type { Stage } from './stage.js';

export type MessageRow = {
  id: string;
  role: string;
  content: string;
  status: string;
  item_id: string | null;
  content_index: number;
  interrupted: boolean;
  audio_end_ms: number | null;
  usage: Record<string, number> | null;
  created_at: Date;
};

/** What the record holds of one conversation, read past the service. */
export class Conversation {
  readonly id: string;
  readonly #client: Client;

  private constructor(id: string, client: Client) {
    this.id = id;
    this.#client = client;
  }

  static async start(stage: Stage, agentId = stage.stores.agentId): Promise<Conversation> {
    const { databaseUrl, organizationId } = stage.stores;
    const id = await insertConversation(databaseUrl, organizationId, agentId);
    const client = new Client({ connectionString: databaseUrl });
    // A test may end the server under it.
    client.on('error', () => undefined);
    await client.connect();
    stage.onClose(() => client.end());
    return new Conversation(id, client);
  }

  async rows<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.#client.query<Row>(sql, [this.id])).rows;
  }

  messages(): Promise<MessageRow[]> {
    return this.rows('select * from messages where conversation_id = $1 order by position, id');
  }

  /** The messages as 'role: content', once there are so many. */
  async said(count: number): Promise<string[]> {
    const messages = await waitFor(
      async () => {
        const rows = await this.messages();
        return rows.length >= count ? rows : undefined;
      },
      { what: `${count} messages` },
    );
    return messages.map(({ role, content }) => `${role}: ${content}`);
  }
}

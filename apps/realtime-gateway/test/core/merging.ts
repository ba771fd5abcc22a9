import type { SessionState } from '#src/core/session.js';
import { Conversation } from './conversation.js';
import { running } from './settings.js';

export const merging: SessionState = {
  ...running,
  settings: { ...running.settings, clientOverrides: 'merge' },
};

/** A session under test: what a client asks for, and what becomes of it. */
export class Session extends Conversation {
  constructor(given: SessionState = merging) {
    super();
    this.state = given;
  }

  update(session: unknown, more: object = {}): this {
    return this.client({ type: 'session.update', ...more, session });
  }

  /** The sessions that the provider was asked for. */
  get asked(): Record<string, unknown>[] {
    return this.sent
      .filter(({ type }) => type === 'session.update')
      .map((event) => (event as unknown as { session: Record<string, unknown> }).session);
  }

  get left(): string[] {
    return this.of('notice').flatMap(({ fields }) => fields);
  }

  get toolNames(): string[] {
    const tools = (this.asked.at(-1)?.['tools'] ?? []) as { name: string }[];
    return tools.map(({ name }) => name);
  }
}

export const tool = (name: unknown, more: object = {}) => ({
  type: 'function',
  name,
  description: 'Does it.',
  ...more,
});

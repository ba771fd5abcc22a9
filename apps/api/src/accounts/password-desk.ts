import { Turns, verifyPassword } from '@parley/database';
import { Problem } from '@parley/protocol';

/** Whoever tries a password. */
export type Guest = {
  readonly address: string;
  /** Throws if nobody waits for the answer any more, or the address is refused by now. */
  readonly requireWelcome: () => void;
};

const limits = { working: 1, workingEach: 1, waitingEach: 20, patienceMs: 10_000 } as const;

/**
 * Checks one password at a time, and takes addresses in turn: whoever sends many waits for
 * themselves, and the other cores and the memory stay free for everybody else.
 */
export class PasswordDesk {
  readonly #turns = new Turns(limits);
  readonly #verify: typeof verifyPassword;

  constructor(verify = verifyPassword) {
    this.#verify = verify;
  }

  async isRight(guest: Guest, password: string, stored: string | null): Promise<boolean> {
    const turn = await this.#turns.run(guest.address, () => {
      guest.requireWelcome();
      return this.#verify(password, stored);
    });
    if (!turn) throw busy();
    return turn.done;
  }
}

function busy(): Problem {
  return new Problem(
    'service-unavailable',
    'Too many people are signing in with a password. Try again shortly.',
    { headers: { 'Retry-After': '10' } },
  );
}

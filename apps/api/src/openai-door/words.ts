/** Separates what an agent says before and after a tool call. */
export class Words {
  readonly #say: (text: string) => void;
  #said = false;
  #apart = false;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  readonly onEvent = (): void => {
    this.#apart = this.#said;
  };

  readonly onText = (text: string): void => {
    this.#say(this.#apart ? `\n\n${text}` : text);
    this.#said = true;
    this.#apart = false;
  };
}

import { expect } from 'chai';
import { isAbove, isElsewhere } from '#src/parts/keys.js';

/** An element inside of a place that a selector finds. */
class InPlace {
  readonly #place: string;

  constructor(place: string) {
    this.#place = place;
  }

  closest(selectors: string): InPlace | null {
    return selectors.split(', ').includes(this.#place) ? this : null;
  }
}

describe('a key that is pressed', () => {
  const { Element } = globalThis;
  before(() => Object.assign(globalThis, { Element: InPlace }));
  after(() => Object.assign(globalThis, { Element }));

  const pressedIn = (place: string, more: Partial<KeyboardEvent> = {}) =>
    ({ target: new InPlace(place) as unknown as EventTarget, ...more }) as KeyboardEvent;

  it('belongs to the menu, the list or the dialog above the page', () => {
    for (const role of ['menu', 'listbox', 'dialog']) {
      expect(isElsewhere(pressedIn(`[role="${role}"]`)), role).to.equal(true);
      expect(isAbove(pressedIn(`[role="${role}"]`)), role).to.equal(true);
    }
  });

  it('is typed into a field if it is a letter, but not if it is Esc', () => {
    for (const field of ['input', 'textarea', 'select', '[contenteditable="true"]']) {
      expect(isElsewhere(pressedIn(field)), field).to.equal(true);
      expect(isAbove(pressedIn(field)), field).to.equal(false);
    }
  });

  it('is the browser’s with Ctrl, Alt or Meta, and the page’s otherwise', () => {
    expect(isElsewhere(pressedIn('button', { ctrlKey: true }))).to.equal(true);
    expect(isAbove(pressedIn('button', { altKey: true }))).to.equal(true);
    expect(isElsewhere(pressedIn('button'))).to.equal(false);
  });
});

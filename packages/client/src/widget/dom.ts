type Attributes = Readonly<Record<string, string | boolean>>;
export type Child = Node | string;

/**
 * An element with attributes and children. Text is always set as text; nothing here parses HTML.
 */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [each, value] of Object.entries(attributes)) setAttribute(made, each, value);
  made.append(...children);
  return made;
}

/** True sets an attribute without a value; false removes it. */
export function setAttribute(target: Element, name: string, value: string | boolean): void {
  if (value === false) target.removeAttribute(name);
  else if (target.getAttribute(name) !== (value === true ? '' : value))
    target.setAttribute(name, value === true ? '' : value);
}

/** Skips unchanged text, so that selections and screen readers are not disturbed. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

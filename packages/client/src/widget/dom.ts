type Attributes = Readonly<Record<string, string | boolean>>;
export type Child = Node | string;

/** An element with attributes and children. Text is only ever text: nothing here parses HTML. */
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

/** True is an attribute without a value, false none. */
export function setAttribute(target: Element, name: string, value: string | boolean): void {
  if (value === false) target.removeAttribute(name);
  else if (target.getAttribute(name) !== (value === true ? '' : value))
    target.setAttribute(name, value === true ? '' : value);
}

/** Leaves a text that is the same alone, so that selections and screen readers are not disturbed. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

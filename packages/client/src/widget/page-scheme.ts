/** A dark page without a `color-scheme` is recognized by its background. */
const darkBelow = 0.4;

/**
 * Whether the page is light or dark; `page` if it sets its own `color-scheme`, which the widget
 * inherits.
 */
export function pageScheme(page: Document): 'light' | 'dark' | 'page' {
  const { documentElement: root, body } = page;
  if (getComputedStyle(root).colorScheme !== 'normal') return 'page';
  const colours = [body, root].map((each) => getComputedStyle(each).backgroundColor);
  const lightness = colours.map(lightnessOf).find((each) => each !== undefined);
  return lightness !== undefined && lightness < darkBelow ? 'dark' : 'light';
}

/**
 * Lightness, 0 to 1, of a computed colour, `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`; undefined if it
 * is transparent.
 */
export function lightnessOf(colour: string): number | undefined {
  const [red, green, blue, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
  if (!colour.startsWith('rgb') || red === undefined || green === undefined || blue === undefined)
    return undefined;
  return alpha < 0.5 ? undefined : (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

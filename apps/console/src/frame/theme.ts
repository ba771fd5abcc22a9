export type Theme = 'light' | 'dark' | 'system';

const key = 'parley-theme';

/** The docs read the same key, so they follow it, too. */
export function setTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Without storage, the theme lasts as long as the page.
  }
}

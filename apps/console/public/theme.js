/* global document, localStorage */
// Before the first paint, so that a page never flashes in the other theme.
try {
  const theme = localStorage.getItem('parley-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that stores nothing for this page keeps the system's theme.
}

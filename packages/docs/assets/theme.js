// Runs before anything is painted, so that a chosen theme does not flash. Without a choice, the
// system's theme applies.
try {
  const chosen = localStorage.getItem('parley-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage, the system's theme applies.
}

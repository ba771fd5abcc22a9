// Runs before anything is painted, so that a chosen theme does not flash. Without a choice the system's counts.
try {
  const chosen = localStorage.getItem('parley-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // A browser that keeps nothing shows the system's theme.
}

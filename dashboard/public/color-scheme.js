// Before the first paint, so that the page does not flash in the other colours.
(() => {
  const chosen = localStorage.getItem('mantine-color-scheme-value');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : dark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
})();

import { loadLanguage } from './language/language.ts';

// What the other modules say is in the language of the page from the first moment.
await loadLanguage();
const { start } = await import('./start.tsx');
const root = document.getElementById('root');
if (root) start(root);

import { useSyncExternalStore } from 'react';

/** Whether the page is being printed. What uses it is drawn anew before the browser lays out the paper. */
export function usePrinting(): boolean {
  return useSyncExternalStore(follow, () => isBefore || window.matchMedia('print').matches);
}

/** Between `beforeprint` and `afterprint`. The query of media changes only after the paper is laid out. */
let isBefore = false;

function follow(changed: () => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const note = ({ type }: Event) => {
    isBefore = type === 'beforeprint';
    changed();
  };
  window.addEventListener('beforeprint', note, { signal });
  window.addEventListener('afterprint', note, { signal });
  window.matchMedia('print').addEventListener('change', changed, { signal });
  return () => ended.abort();
}

import { useDocumentTitle } from '@mantine/hooks';
import { createContext, useContext } from 'react';

/** How many things wait for the human. The frame of the pages provides it. */
export const WaitingCount = createContext(0);

/** Sets the title of the browser's tab. It begins with the number of things that wait: `(3) Memories`. */
export function usePageTitle(title: string): void {
  const waiting = useContext(WaitingCount);
  useDocumentTitle(`${waiting > 0 ? `(${waiting}) ` : ''}${title} · Agent Memory`);
}

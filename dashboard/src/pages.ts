import paths from '../pages.json';

/** Where each page is. The server opens the dashboard at exactly these paths. */
export const PAGES = paths;

/** Path of one memory's page. */
export const memoryPage = (id: string) => PAGES.memory.replace(':id', id);

import { useAnswer } from '../api/hooks.ts';

/** How much waits for the human, by page; read with the overview, so that it costs no call of its own. */
export function useWaiting(): { readonly guardian: number; readonly distress: number } {
  const { data } = useAnswer('overview', 'GET /dashboard', {});
  return { guardian: data?.guardian.length ?? 0, distress: data?.distress ? 1 : 0 };
}

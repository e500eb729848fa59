import { Page } from '../design/page.tsx';

/** Every memory of the agent: searched, filtered, in time and on a map. */
export default function Memories() {
  return <Page title="Memories">Soon.</Page>;
}

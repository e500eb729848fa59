import type { ReactNode } from 'react';

/** One detail of a `<dl>`: what it is called, and below that what is so. */
export function Detail({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

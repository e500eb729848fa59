import type { ReactNode } from 'react';

/** One fact of a `<dl>`: what it is called, and below that what is so. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

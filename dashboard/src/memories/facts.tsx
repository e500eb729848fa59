import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import { PATHS } from '../navigation/paths.ts';
import classes from './facts.module.css';
import { type Version, WRITERS } from './version.ts';

/** Lists what is known about a memory beside its content. */
export function Facts({ id, versions }: { id: string; versions: readonly Version[] }) {
  const [current] = versions;
  const first = versions.at(-1);
  if (!current || !first) return null;
  return (
    <Panel title="About it">
      <dl className={classes.facts}>
        <Fact name="Happened">
          <When at={current.occurred_at} />
        </Fact>
        <Fact name="First written">
          <When at={first.at} /> by {WRITERS[first.source.kind]}
        </Fact>
        {versions.length > 1 && (
          <Fact name="Last change">
            <When at={current.at} /> by {WRITERS[current.source.kind]}
          </Fact>
        )}
        <Fact name="Importance">{current.importance.toFixed(2)} of 1</Fact>
        {current.key !== null && (
          <Fact name="Key">
            <PlainText text={current.key} />
          </Fact>
        )}
        {current.tags.length > 0 && (
          <Fact name="Tags">
            <span className={classes.tags}>
              {current.tags.map((tag) => (
                <Link
                  key={tag}
                  href={`${PATHS.memories}?tag=${encodeURIComponent(tag)}`}
                  className={classes.tag}
                >
                  <PlainText text={tag} />
                </Link>
              ))}
            </span>
          </Fact>
        )}
        <Fact name="Id">
          <code className={classes.id}>{id}</code>
        </Fact>
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

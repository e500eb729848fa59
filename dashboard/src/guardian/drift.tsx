import { Progress, Tooltip } from '@mantine/core';
import classes from './drift.module.css';

const WORDS = [
  [0.15, 'a small change'],
  [0.35, 'a noticeable change'],
  [0.6, 'a large change'],
] as const;

interface Props {
  readonly drift: number;
  /** Beyond it a change is never applied without the human. */
  readonly limit?: number;
}

/** How far a change goes from what the memory says now, 0 to 1, and where the limit is. */
export function Drift({ drift, limit }: Props) {
  const words = WORDS.find(([most]) => drift <= most)?.[1] ?? 'something quite different';
  const over = limit !== undefined && drift > limit;
  return (
    <Tooltip
      label={
        limit === undefined
          ? 'How far the meaning moves, from 0 (the same) to 1 (nothing in common)'
          : `How far the meaning moves, from 0 to 1. Over ${limit.toFixed(2)} a change waits for you.`
      }
    >
      <span className={classes.drift}>
        <Progress
          value={Math.max(2, drift * 100)}
          color={over ? 'red' : 'teal'}
          size={6}
          className={classes.bar}
          aria-label="Drift"
        />
        <span>
          Drift {drift.toFixed(2)}, {words}
        </span>
      </span>
    </Tooltip>
  );
}

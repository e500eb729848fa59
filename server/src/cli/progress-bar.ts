import { SingleBar } from 'cli-progress';

/** Shows how far a job is: a bar on a terminal, nothing elsewhere. */
export interface ProgressBar {
  update(progress: { readonly done: number; readonly total: number | null }): void;
  stop(): void;
}

/** A bar on stderr, which leaves stdout to results. */
export function createProgressBar(
  label: string,
  stream: { readonly isTTY?: boolean } & NodeJS.WritableStream = process.stderr,
): ProgressBar {
  if (!stream.isTTY) return { update: () => {}, stop: () => {} };
  const format = `${label} {bar} {percentage}% | {value}/{total} | {eta_formatted} left`;
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true });
  let running = false;
  return {
    update: ({ done, total }) => {
      if (total === null) return;
      if (running) bar.update(done);
      else bar.start(total, done);
      running = true;
    },
    stop: () => {
      if (running) bar.stop();
      running = false;
    },
  };
}

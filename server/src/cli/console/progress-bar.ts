import type { Terminal } from './terminal.ts';

/** A line on the terminal that shows how far something is. */
export interface ProgressBar {
  /** Shows that so much is done; nothing is shown before the total is known. */
  show(done: number, total: number | null): void;
  stop(): void;
}

/** Starts a bar where there is a terminal to show it on; undefined elsewhere. */
export async function startBar({ screen }: Terminal, title: string): Promise<ProgressBar | undefined> {
  if (!screen) return undefined;
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    stream: screen,
    format: `${title.replace(/[{}]/g, '')} [{bar}] {percentage} %  {value}/{total}`,
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
  });
  let started = false;
  return {
    show: (done, total) => {
      if (total === null) return;
      if (started) {
        bar.setTotal(total);
        bar.update(done);
      } else bar.start(total, done);
      started = true;
    },
    stop: () => bar.stop(),
  };
}

// Loaded before a program by `--import`: its time limits are twenty times as long. The program is to show what it does with an
// answer, and on a machine that is busy with other tests an answer may take longer than a user would wait.
const TIMES = 20;
const start = globalThis.setTimeout;

globalThis.setTimeout = (work, milliseconds = 0, ...args) => start(work, milliseconds * TIMES, ...args);

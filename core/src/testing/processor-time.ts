/** Milliseconds of processor time this process has taken: they do not grow with what else the machine does. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

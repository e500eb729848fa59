import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** Puts a file of mode 0600 in place at once: a crash leaves the old one or the new one, never a part. */
export async function writeWhole(file: string, body: string): Promise<void> {
  const candidate = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(candidate, 'wx', 0o600);
    try {
      await handle.writeFile(body);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(candidate, file);
  } catch (error) {
    await rm(candidate, { force: true });
    throw error;
  }
}

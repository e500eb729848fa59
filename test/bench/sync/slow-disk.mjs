// Loaded into a service before it starts: its write-ahead log then takes 4 ms longer to reach the disk, as on a disk that many
// share.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const LATER_MS = 4;
const { fdatasync, fdatasyncSync } = fs;
const asleep = new Int32Array(new SharedArrayBuffer(4));

fs.fdatasync = (file, done) => {
  setTimeout(() => fdatasync(file, done), LATER_MS);
};
fs.fdatasyncSync = (file) => {
  Atomics.wait(asleep, 0, 0, LATER_MS);
  fdatasyncSync(file);
};
syncBuiltinESMExports();

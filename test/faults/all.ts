import type { Fault } from './fault.ts';
import { backupUnderLoad } from './rows/backup-under-load.ts';
import { clockSteps } from './rows/clock-steps.ts';
import { connectionsCut } from './rows/connections-cut.ts';
import { diskFull, diskFullEmbedded, diskFullUnsynced } from './rows/disk-full.ts';
import { embeddedLock } from './rows/embedded-lock.ts';
import { jobKilled } from './rows/job-killed.ts';
import { killApi } from './rows/kill-api.ts';
import { largeBodies } from './rows/large-bodies.ts';
import { manyCalls } from './rows/many-calls.ts';
import { migrationKilled } from './rows/migration-killed.ts';
import { poolExhausted } from './rows/pool-exhausted.ts';
import { postgresFast, postgresImmediate } from './rows/postgres-restart.ts';
import { powerCut } from './rows/power-cut.ts';
import { primaryDies } from './rows/primary-dies.ts';
import { limitRace, quotaRace } from './rows/races.ts';
import { redisFlushed, redisFull, redisKilled } from './rows/redis.ts';
import { rollingUpgrade } from './rows/rolling-upgrade.ts';
import { sigterm } from './rows/sigterm.ts';
import { slowClients } from './rows/slow-clients.ts';
import { soak } from './rows/soak.ts';
import { stalledDisk } from './rows/stalled-disk.ts';
import { stalls } from './rows/stalls.ts';
import { upgradeKilled } from './rows/upgrade-killed.ts';
import { killAfterMark, killBeforeMark, killBeforeSend } from './rows/webhook-kill.ts';

/** Every way to break the service, in the order of the table. */
export const faults: readonly Fault[] = [
  killApi,
  killBeforeSend,
  killBeforeMark,
  killAfterMark,
  jobKilled,
  sigterm,
  postgresFast,
  postgresImmediate,
  primaryDies,
  connectionsCut,
  poolExhausted,
  redisKilled,
  redisFlushed,
  redisFull,
  stalledDisk,
  diskFull,
  diskFullEmbedded,
  diskFullUnsynced,
  clockSteps,
  powerCut,
  backupUnderLoad,
  embeddedLock,
  rollingUpgrade,
  migrationKilled,
  upgradeKilled,
  quotaRace,
  limitRace,
  manyCalls,
  slowClients,
  largeBodies,
  stalls,
  soak,
];

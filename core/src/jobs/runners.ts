import { reembedRunner } from '../embedding/reembed/reembed-runner.ts';
import { importRunner } from '../import/run.ts';
import { reflectRunner } from '../reflection/runner.ts';
import type { JobRunner } from './runner.ts';

/** Who does which kind of job; a new kind is one line here and one in `JOB_KINDS`. */
export const jobRunners: readonly JobRunner[] = [importRunner, reembedRunner, reflectRunner];

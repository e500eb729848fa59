import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbedderError } from '@svc-memory/core';
import { readModelInUse } from '@svc-memory/core/server';
import type { Config } from '../../../config/config.ts';
import { chooseEmbedding } from '../../../config/models.ts';
import { errorText } from '../../../control/cli-error.ts';
import { OutdatedDatabaseError, openUnmigrated } from '../../access/database.ts';
import { askMetrics } from '../../access/running-service.ts';
import { type CheckResult, failure, ok, type Surroundings, warning } from './check-result.ts';
import { fixUnlessSaid, timed } from './models.ts';

const TEXTS = ['What did we decide about the garden?', 'The beds get compost in March.'];
const UNIT = 0.01;

/** Does the embedder make a vector. Of `auto`: which one is it, and why. */
export async function checkEmbedder(surroundings: Surroundings): Promise<CheckResult[]> {
  const { config } = surroundings;
  const where = config.embedderUrl === undefined ? '' : ` at ${config.embedderUrl}`;
  const results: CheckResult[] = [];
  try {
    const { embedder, explain } = await chooseEmbedding(config, () => findModelInUse(surroundings));
    const choice = await explain?.();
    if (choice) results.push(ok(`Embedder: auto is ${choice.message}`));
    results.push(...(await compareWithService(embedder.model, surroundings)));
    const [vectors, ms] = await timed(() => embedder.embed(TEXTS));
    const numbers = vectors[0]?.length ?? 0;
    const proper = vectors.every((vector) => Math.abs(Math.hypot(...vector) - 1) < UNIT);
    const name = `Embedder: ${embedder.model}${choice ? '' : where}`;
    results.push(
      vectors.length === TEXTS.length && numbers > 0 && proper
        ? ok(`${name} gives vectors of ${numbers} numbers (${ms} ms)`)
        : failure(`${name} gave no proper vector`, fixOf(config)),
    );
  } catch (error) {
    if (error instanceof OutdatedDatabaseError) {
      return [warning(`Embedder: auto cannot choose by what is stored: ${error.message}`)];
    }
    const meanwhile = error instanceof EmbedderError ? ' Until then recall goes by words alone.' : '';
    const fix = fixUnlessSaid(error, `${fixOf(config)}${meanwhile}`);
    results.push(failure(`Embedder: ${errorText(error)}`, fix));
  }
  return results;
}

/** Other settings than the service's, as of a unit of systemd or of another shell, tell nothing of its embedder. */
async function compareWithService(
  model: string,
  surroundings: Pick<Surroundings, 'running' | 'config'>,
): Promise<CheckResult[]> {
  const served = await findModelOfService(surroundings);
  if (served === undefined || served === model) return [];
  const message = `Embedder: the running service has another one, ${served}, which was not checked`;
  return [warning(message, 'Run doctor with the SVC_ settings that the service was started with.')];
}

async function findModelOfService({
  running,
  config,
}: Pick<Surroundings, 'running' | 'config'>): Promise<string | undefined> {
  if (!running) return undefined;
  return /^svc_embedder_info\{model="([^"\\]+)"/m.exec(await askMetrics(running.url, config))?.[1];
}

/**
 * The model that the stored memories have vectors of: as the running service says, else as the embedded database does. A
 * Postgres server without a running service is not asked, since looking there would migrate it.
 */
async function findModelInUse({ running, config }: Surroundings): Promise<string | undefined> {
  if (running) return findModelOfService({ running, config });
  const isThere = await stat(join(config.dataDir, 'pg')).catch(() => undefined);
  if (config.databaseUrl !== undefined || !isThere) return undefined;
  const database = await openUnmigrated(config);
  return readModelInUse(database).finally(() => database.close());
}

function fixOf({ embedder, embedderUrl }: Config): string {
  if (embedder === 'static') return 'Install the packages again: npm ci';
  if (embedder === 'auto') return 'Start the server that has the model, or name another SVC_EMBEDDER.';
  if (embedder.startsWith('transformers:')) {
    return 'Install the package, and let this machine reach the Hugging Face hub for the first start.';
  }
  const server =
    embedderUrl === undefined ? 'SVC_EMBEDDER_API_KEY' : 'that the server runs and has the model';
  return `Check ${server}, and SVC_EMBEDDER, SVC_EMBEDDER_URL.`;
}

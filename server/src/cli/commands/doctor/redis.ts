import { maskUrl } from '../../../config/config.ts';
import { loadBoard } from '../../../operator/load-board.ts';
import { RIGHTS_FIX } from '../../../redis/connection.ts';
import { loadRedis } from '../../../redis/coordination.ts';
import { type CheckResult, failure, failureText, ok, type Surroundings, warning } from './check-result.ts';

/** Does Redis answer, and let the service in; nothing where none is named. */
export async function checkRedis({ config }: Surroundings): Promise<CheckResult[]> {
  const url = config.redisUrl;
  if (url === undefined) return [];
  const name = `Redis: ${maskUrl(url)}`;
  try {
    await loadRedis();
    if (config.operatorToken !== undefined) await loadBoard();
  } catch (error) {
    const fix = 'Without them the service does not start.';
    return [failure(`${name}: ${failureText(error)}`, fix)];
  }
  try {
    const { askRedis } = await import('../../../redis/ask-redis.ts');
    return [ok(`${name} answers, version ${await askRedis(url)}`)];
  } catch (error) {
    const message = failureText(error);
    const { fix } = FAILURES.find(({ found }) => found.test(message)) ?? {};
    const meanwhile = 'Until then each process works by itself.';
    return [warning(`${name}: ${message}`, fix ? `${fix} ${meanwhile}` : meanwhile)];
  }
}

const FAILURES: readonly { readonly found: RegExp; readonly fix: string }[] = [
  { found: /^(WRONGPASS|NOAUTH)/, fix: 'Correct the user and password in SVC_REDIS_URL.' },
  { found: /^NOPERM/, fix: `${RIGHTS_FIX}.` },
  {
    found: /certificate|altnames/,
    fix: 'Set NODE_EXTRA_CA_CERTS to the file of the authority that signed it.',
  },
  {
    found: /ETIMEDOUT|ECONNRESET|EPROTO|SSL|Connection is closed/,
    fix: 'Name it with rediss:// where it speaks TLS, with redis:// where it does not.',
  },
  {
    found: /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UNREACH/,
    fix: 'Check that it runs, and its host and port in SVC_REDIS_URL.',
  },
];

import type { Fault } from '../fault.ts';
import { eventually } from '../lab/events.ts';
import { prepareService } from '../lab/service.ts';
import { storm } from '../lab/start-storm.ts';

const TRIAL_LIMIT = 10_000;
const LEFT = 40;

/** The last operations of a month, asked for ten times over, through two processes at once. */
export const quotaRace: Fault = {
  name: 'quota race over two processes',
  holds:
    'exactly as many are accepted as were left; the threshold is told once; a refused call stores nothing',
  run: async ({ cluster, rounds }) => {
    const { tenant, sql, apis } = await cluster();
    const codes: Record<string, number> = {};
    const problems: string[] = [];
    let lost = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { id, apiKey } = await tenant('trial');
      const month = new Date().toISOString().slice(0, 7);
      await sql(`INSERT INTO usage_counts (tenant_id, month, operations)
                 VALUES ('${id}', '${month}', ${TRIAL_LIMIT - LEFT})`);
      const result = await storm({
        targets: apis.map(({ url }) => url),
        apiKey,
        calls: LEFT * 10,
        method: 'POST',
        path: '/api/v1/memories',
        body: '{"type":"working","content":"asked for the #th time"}',
        timeoutMs: 60_000,
      });
      for (const [code, count] of Object.entries(result.codes)) codes[code] = (codes[code] ?? 0) + count;
      const [found] = await sql(
        `SELECT (SELECT count(*)::int FROM memories WHERE tenant_id = '${id}') AS stored,
                (SELECT operations::int FROM usage_counts WHERE tenant_id = '${id}') AS counted,
                (SELECT count(*)::int FROM events WHERE tenant_id = '${id}' AND type = 'billing.threshold') AS told`,
      );
      const expected = { stored: LEFT, counted: TRIAL_LIMIT, told: 1 };
      if (JSON.stringify(found) !== JSON.stringify(expected)) problems.push(`${JSON.stringify(found)}`);
      if (result.answers.length !== LEFT) problems.push(`${result.answers.length} accepted of ${LEFT} left`);
      lost += Math.max(0, result.answers.length - Number(found?.stored));
    }
    return { times: rounds, n: `${rounds * LEFT} accepted`, lost, duplicates: 0, codes, problems };
  },
};

const PER_MINUTE = 1_200;
const BURST = PER_MINUTE / 6;

/** One key's calls through two processes that share their limits by Redis. */
export const limitRace: Fault = {
  name: 'rate limit race over two processes',
  holds: 'no more pass than one process alone would let pass; refusals say when to come back',
  run: async ({ cluster, rounds }) => {
    const { tenant, env } = await cluster();
    const limited = { ...env, SVC_RATE_LIMIT: String(PER_MINUTE) };
    const apis = await Promise.all(
      [0, 1].map(() => prepareService({ args: ['--role', 'api'], env: limited })),
    );
    await Promise.all(apis.map((one) => one.start()));
    const codes: Record<string, number> = {};
    const problems: string[] = [];
    let overshoot = 0;
    let calls = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { apiKey } = await tenant();
      const began = performance.now();
      const mayPass = () => BURST + Math.ceil(((performance.now() - began) / 60_000) * PER_MINUTE);
      let passed = 0;
      let limited = 0;
      // A busy machine turns calls away before they are counted, with 503: it is asked until the limit is reached.
      while (limited === 0 && passed <= mayPass()) {
        const result = await storm({
          targets: apis.map(({ url }) => url),
          apiKey,
          calls: BURST * 4,
          method: 'GET',
          path: '/api/v1/status',
          timeoutMs: 60_000,
        });
        for (const [code, count] of Object.entries(result.codes)) codes[code] = (codes[code] ?? 0) + count;
        calls += BURST * 4;
        passed += result.answers.length;
        limited += result.codes['429'] ?? 0;
        if (result.silent > 0) problems.push(`${result.silent} refusals without Retry-After`);
      }
      overshoot = Math.max(overshoot, passed - mayPass());
      if (passed < BURST)
        problems.push(`${limited} over the limit when only ${passed} of ${BURST} had passed`);
    }
    for (const one of apis) one.kill('SIGTERM');
    await eventually(async () => (await Promise.all(apis.map((one) => one.ended()))).length === 2, 20_000);
    if (overshoot > 0) problems.push(`${overshoot} too many passed`);
    return {
      times: rounds,
      n: `${calls} calls`,
      lost: 0,
      duplicates: 0,
      codes,
      note: `overshoot ${Math.max(0, overshoot)}`,
      problems,
    };
  },
};

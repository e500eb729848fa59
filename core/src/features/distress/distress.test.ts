import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const HUMAN = { source: 'human', credentialId: '01a1fd19-0000-7000-8000-000000000001' } as const;

describe('distress', () => {
  const kit = useTestEngine();

  it('events tell whether the human heard it, and whether a call repeats one they have not', async () => {
    const { tenantId, agent } = await kit.tenant();
    const told: unknown[] = [];
    kit.engine.use({
      name: 'listener',
      hooks: {
        event: (event) => {
          if (event.tenantId !== tenantId || !event.type.startsWith('distress.')) return;
          const { signal_id: _, ...data } = event.data;
          told.push([event.type.slice('distress.'.length), data]);
        },
      },
    });
    await agent().distress({ context: 'first' });
    await agent().distress({ context: 'more' });
    await agent().acknowledgeDistress();
    await agent().distress({ context: 'second' });
    await agent(HUMAN).acknowledgeDistress();
    await agent().distress({ context: 'third' });
    await agent().acknowledgeDistress();
    kit.clock.advance(2 * 3_600_000);
    await agent().distress({ context: 'fourth' });
    expect(told).toEqual([
      ['raised', { opened: true, repeated: false }],
      ['raised', { opened: false, repeated: true }],
      ['acknowledged', { by: 'agent', heard: false }],
      ['raised', { opened: true, repeated: true }],
      ['acknowledged', { by: 'human', heard: true }],
      ['acknowledged', { by: 'human', heard: true }],
      ['raised', { opened: true, repeated: false }],
      ['acknowledged', { by: 'agent', heard: false }],
      ['raised', { opened: true, repeated: false }],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();

describe('Spec: Resources, Boot config; Endpoints, Boot — GET /boot-config and POST /boot-config', () => {
  it.each([
    ['token_budget', 256, 200_000],
    ['episodic_limit', 0, 200],
    ['truncate_at', 80, 32_768],
  ])('%s takes its bounds %d and %d, and nothing beyond', async (field, least, most) => {
    const api = await service.signUp();
    for (const value of [least, most]) {
      const { body } = await api.post<'setBootConfig'>('/boot-config', { [field]: value });
      expect(body.boot_config).toMatchObject({ [field]: value });
    }
    for (const value of [least - 1, most + 1, -1, 300.5, '500', null, true, [500], {}]) {
      const send = () => api.post('/boot-config', { [field]: value });
      await expectRefused(api, send, 'VALIDATION_ERROR', field);
    }
  });

  it('an unknown setting is refused by name', async () => {
    const api = await service.signUp();
    const send = () => api.post('/boot-config', { token_buget: 500 });
    await expectRefused(api, send, 'VALIDATION_ERROR', 'token_buget');
  });
});

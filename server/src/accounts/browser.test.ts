import { describe, expect, it } from 'vitest';
import { type Answer, newEmail, PASSWORD, useAccounts } from './accounts.fixture.ts';

const test = useAccounts();
const secure = useAccounts(() => ({ settings: { publicUrl: 'https://memory.example.com' } }));
const NOTE = { type: 'episodic', content: 'The kettle is blue.' };

// Where it is our own page, a proxy passes on another host: the message names the setting for that.
const refused = ({ status, body }: Answer) =>
  expect([status, body.error?.code, body.error?.message]).toEqual([
    403,
    'FORBIDDEN',
    expect.stringContaining('SVC_PUBLIC_URL'),
  ]);

describe('threat 8: a browser attacker', () => {
  it('cannot change anything with the human’s cookie from another site (CSRF)', async () => {
    const { browser } = await test.signUp();
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: 'not an origin' },
      { Origin: `${test.url}.evil.example` },
      { Origin: test.url.replace(/\d+$/, '1') },
      { Origin: test.url, 'Sec-Fetch-Site': 'cross-site' },
      { Origin: test.url, 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of foreign) {
      refused(await browser.post('/memories', NOTE, headers));
      refused(await browser.post('/api-keys', { name: 'evil' }, headers));
      refused(await browser.post('/agents', { display_name: 'evil' }, headers));
      refused(await browser.post('/auth/logout', {}, headers));
    }
    expect((await browser.get('/status')).body.counts.episodic).toBe(0);
    expect((await browser.get('/agents')).body.agents).toHaveLength(1);
    expect((await browser.get('/api-keys')).body.api_keys).toHaveLength(1);
    expect((await browser.post('/memories', NOTE)).status).toBe(201);
  });

  it('cannot change anything by a call that hides where it comes from', async () => {
    const { browser } = await test.signUp();
    const response = await fetch(`${test.url}/api/v1/memories`, {
      method: 'POST',
      headers: {
        Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(NOTE),
    });
    expect(response.status).toBe(403);
  });

  it('cannot read with the cookie from another site either', async () => {
    const { browser } = await test.signUp();
    refused(await browser.get('/memories/boot', { 'Sec-Fetch-Site': 'cross-site' }));
    refused(await browser.get('/status', { Origin: 'https://evil.example' }));
    expect((await browser.get('/status', { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  });

  it('cannot sign the human in as somebody else (login CSRF)', async () => {
    const { email } = await test.signUp();
    const browser = test.browser();
    const credentials = { email, password: PASSWORD };
    refused(await browser.post('/auth/login', credentials, { Origin: 'https://evil.example' }));
    expect(browser.cookies.size).toBe(0);
  });

  it('gets at no cookie by script, by a link, or in clear text', async () => {
    const attributes = async (service: typeof test) => {
      const body = { email: newEmail(), password: PASSWORD, display_name: 'Ada' };
      const { headers } = await service.browser().post('/auth/signup', body);
      return headers.getSetCookie();
    };
    expect(await attributes(test)).toEqual([
      expect.stringMatching(/^svc\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(await attributes(secure)).toEqual([
      expect.stringMatching(
        /^__Secure-svc\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
  });

  it('cannot make a human use a session known to the attacker (fixation)', async () => {
    const attacker = await test.signUp();
    const victim = await test.signUp();
    // The victim's browser carries the attacker's cookie when the victim signs in.
    const browser = test.browser();
    for (const [name, value] of attacker.browser.cookies) browser.cookies.set(name, value);
    const { status } = await browser.post('/auth/login', { email: victim.email, password: PASSWORD });
    expect(status).toBe(200);
    expect([...browser.cookies]).not.toEqual([...attacker.browser.cookies]);
    expect((await browser.get('/auth/session')).body.user.email).toBe(victim.email);
    expect((await attacker.browser.get('/auth/session')).status).toBe(401);
  });

  it('on the address of the operator is not foreign', async () => {
    const { browser } = await secure.signUp();
    const { status } = await browser.post('/memories', NOTE, { Origin: 'https://memory.example.com' });
    expect(status).toBe(201);
  });
});

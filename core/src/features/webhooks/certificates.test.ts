import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../../../../test/kit/listen.ts';
import { failureOf, post } from './post.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-certificates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });

/** Makes a key and its certificate, signed by another, or by itself. */
function makeCertificate(name: string, by?: string): void {
  const signing = by === undefined ? [] : ['-CA', `${by}.crt`, '-CAkey', `${by}.key`];
  const fields = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:localhost`, '-days', '2'];
  const out = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...out, ...fields, ...signing);
}

/** Why nothing was sent to a target with these certificates. */
async function failureWith(name: string, ...chain: string[]): Promise<string> {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const cert = [name, ...chain].map((one) => read(`${one}.crt`)).join('');
  const server = createServer({ key: read(`${name}.key`), cert }, (_, response) => response.end());
  const { port, close } = await listen(server);
  const url = new URL(`https://localhost:${port}/hook`);
  const sending = { url, headers: {}, body: '{}', timeoutMs: 10_000, signal: new AbortController().signal };
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const failure = await post(sending, { allowPrivate: true, resolve }).then(() => 'none', failureOf);
  await close();
  return failure;
}

// What signs a certificate in one step is new in it.
const { stdout } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
it.runIf(/^OpenSSL [3-9]/.test(stdout ?? ''))(
  'a certificate that is not trusted is told by what is wrong with it',
  async () => {
    makeCertificate('self');
    makeCertificate('issuer');
    makeCertificate('leaf', 'issuer');
    expect(await failureWith('self')).toBe('the certificate is self-signed');
    const untrusted = expect.stringMatching(/^the certificate is of an issuer that is not trusted, or /);
    expect(await failureWith('leaf')).toEqual(untrusted);
    expect(await failureWith('leaf', 'issuer')).toEqual(untrusted);
  },
);

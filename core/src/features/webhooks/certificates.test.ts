import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

/** Makes a key and its certificate, signed by another, for a host and so many days: it has expired where they are negative. */
function makeSigned(name: string, by: string, { host = 'localhost', days = 2 } = {}): void {
  const out = ['-keyout', `${name}.key`, '-out', `${name}.csr`];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', ...out, '-subj', `/CN=${name}`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}`);
  const signing = ['-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.crt`, '-days', String(days), ...signing);
}

/** Sends in a process that trusts an issuer besides, which only its start can say. */
async function sendTrusting(issuer: string, url: URL): Promise<string> {
  const program = `import { failureOf, post } from ${JSON.stringify(new URL('post.ts', import.meta.url).href)};
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const signal = new AbortController().signal;
    const sending = { url: new URL(process.argv[1]), headers: {}, body: '{}', timeoutMs: 10_000, signal };
    console.log(await post(sending, { allowPrivate: true, resolve }).then(() => 'none', failureOf));`;
  const words = ['--import', 'tsx', '--input-type=module', '-e', program, url.href];
  const env = { NODE_EXTRA_CA_CERTS: join(folder, `${issuer}.crt`) };
  return (await promisify(execFile)(process.execPath, words, { env })).stdout.trim();
}

/** Why nothing was sent to a target with these certificates. */
async function failureWith(name: string, ...chain: string[]): Promise<string> {
  return serving(name, chain, (url) => {
    const sending = { url, headers: {}, body: '{}', timeoutMs: 10_000, signal: new AbortController().signal };
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    return post(sending, { allowPrivate: true, resolve }).then(() => 'none', failureOf);
  });
}

/** Does something while a target with these certificates is there. */
async function serving(
  name: string,
  chain: readonly string[],
  work: (url: URL) => Promise<string>,
): Promise<string> {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const cert = [name, ...chain].map((one) => read(`${one}.crt`)).join('');
  const server = createServer({ key: read(`${name}.key`), cert }, (_, response) => response.end());
  const { port, close } = await listen(server);
  try {
    return await work(new URL(`https://localhost:${port}/hook`));
  } finally {
    await close();
  }
}

// What signs a certificate in one step is new in it.
const { stdout } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
const signs = /^OpenSSL [3-9]/.test(stdout ?? '');

it.runIf(signs)('a certificate that is not trusted is told by what is wrong with it', async () => {
  makeCertificate('self');
  makeCertificate('issuer');
  makeCertificate('leaf', 'issuer');
  expect(await failureWith('self')).toBe('the certificate is self-signed');
  const untrusted = expect.stringMatching(/^the certificate is of an issuer that is not trusted, or /);
  expect(await failureWith('leaf')).toEqual(untrusted);
  expect(await failureWith('leaf', 'issuer')).toEqual(untrusted);
});

it.runIf(signs)('one of a trusted issuer is told to have expired, or to be for another host', async () => {
  makeCertificate('trusted');
  makeSigned('good', 'trusted');
  makeSigned('expired', 'trusted', { days: -1 });
  makeSigned('other', 'trusted', { host: 'elsewhere.example' });
  const told = (name: string) => serving(name, [], (url) => sendTrusting('trusted', url));
  expect(await told('good')).toBe('none');
  expect(await told('expired')).toBe('the certificate has expired');
  expect(await told('other')).toBe('the certificate is for another host name');
});

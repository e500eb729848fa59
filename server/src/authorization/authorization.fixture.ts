import { createHash, randomBytes } from 'node:crypto';
import type { Answer, Browser, TestAccounts } from '../accounts/accounts.fixture.ts';

/** Where the app of the tests is answered. */
export const REDIRECT_URI = 'https://app.example/back';

/** A proof key (RFC 7636): the verifier stays with the app, the challenge goes along. */
export function proofKey() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** An app that speaks OAuth by hand, so that it can also speak it wrong. */
export function createTestApp(service: TestAccounts) {
  const post = async (path: string, body: URLSearchParams | object, headers: Record<string, string> = {}) => {
    const form = body instanceof URLSearchParams;
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { ...(form ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: form ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : text,
    };
  };
  const register = async (metadata: object = {}) =>
    post('/oauth/register', { client_name: 'Test app', redirect_uris: [REDIRECT_URI], ...metadata });
  const token = (fields: Record<string, string>) => post('/oauth/token', new URLSearchParams(fields));
  return {
    post,
    register,
    token,
    revoke: (fields: Record<string, string>) => post('/oauth/revoke', new URLSearchParams(fields)),
    /** What the app asks for, as the page hands it on. */
    request: (clientId: string, challenge: string, more: object = {}) => ({
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'state of the app',
      resource: `${service.url}/mcp`,
      ...more,
    }),
    /** A tool called at the MCP endpoint with a token. */
    call: (accessToken: string, name = 'svc_status', args: object = {}) =>
      post(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        { Authorization: `Bearer ${accessToken}`, Accept: 'application/json, text/event-stream' },
      ),
  };
}

/** Registers an app that the human lets in: what it exchanges for tokens. */
export async function letIn(
  service: TestAccounts,
  browser: Browser,
  { grant = 'full', headers = {} }: { grant?: 'read' | 'full'; headers?: Record<string, string> } = {},
) {
  const app = createTestApp(service);
  const clientId: string = (await app.register()).body.client_id;
  const { verifier, challenge } = proofKey();
  const request = app.request(clientId, challenge);
  const approved: Answer = await browser.post('/connections', { ...request, grant }, headers);
  const back = new URL(approved.body.redirect_url);
  const code = back.searchParams.get('code') ?? '';
  const exchange = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    resource: `${service.url}/mcp`,
    code,
  };
  return { app, clientId, verifier, request, back, code, exchange };
}

/** Goes the whole way: registers, is let in by the human, and has tokens. */
export async function connectApp(...given: Parameters<typeof letIn>) {
  const approved = await letIn(...given);
  const { body: tokens } = await approved.app.token(approved.exchange);
  return { ...approved, tokens };
}

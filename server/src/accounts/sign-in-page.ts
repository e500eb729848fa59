import { createHash } from 'node:crypto';
import type { Response } from 'express';

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:30rem;margin:20vh auto 0;padding:0 1rem}
button{font:inherit;padding:.5rem 1.25rem}`;

// The form goes to the address of the page, whose query holds the token.
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in · Agent Memory Service</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>Agent Memory Service</h1>
<p>This link signs you in as the human of this service, once.</p>
<form method="post"><button type="submit">Sign in</button></form></main></body></html>`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends the page of a one-time link: whoever only looks at a link, as programs do for a preview, does not press its button. */
export function sendSignInPage(response: Response): void {
  response.setHeader('Content-Security-Policy', POLICY).type('html').send(PAGE);
}

import { createSecret } from '../kernel/tenancy/key-format.ts';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const DIGITS = '0123456789';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** As random as a secret, and the same in every run. */
function random(length: number, alphabet = LETTERS, seed = length): string {
  let state = seed * 2_654_435_761 + alphabet.length;
  return Array.from({ length }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return alphabet[state % alphabet.length];
  }).join('');
}

/** A secret of a kind, and how people write it. */
export interface Sample {
  readonly kind: string;
  readonly secret: string;
  /** The secret in the least that makes it one. */
  readonly text: string;
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, line) => random(64, LETTERS, 70 + line)).join('\n');
const pem = (name: string) =>
  `-----BEGIN ${name}PRIVATE KEY-----\n${lines(4)}\n-----END ${name}PRIVATE KEY-----`;
const hidden: readonly (readonly [kind: string, secret: string, around?: (secret: string) => string])[] = [
  ['svc-api-key', createSecret('svc_')],
  ['svc-session-key', createSecret('svs_')],
  ['svc-signing-secret', `whsec_${random(43)}=`],
  ['aws-access-key', `AKIA${random(16, UPPER)}`],
  ['aws-secret-key', `${random(37)}aB1`, (secret) => `aws_secret_access_key = ${secret}`],
  ['google-api-key', `AIza${random(35)}`],
  [
    'azure-key',
    `${random(86)}==`,
    (secret) => `AccountName=ada;AccountKey=${secret};EndpointSuffix=core.windows.net`,
  ],
  ['github-token', `ghp_${random(36)}`],
  ['github-token', `github_pat_${random(22)}_${random(59)}`],
  ['gitlab-token', `glpat-${random(20)}`],
  ['slack-token', `xoxb-${random(12, DIGITS)}-${random(13, DIGITS)}-${random(24)}`],
  [
    'slack-webhook',
    `T${random(8, UPPER)}/B${random(9, UPPER)}/${random(24)}`,
    (secret) => `https://hooks.slack.com/services/${secret}`,
  ],
  ['stripe-key', `sk_live_${random(24)}`],
  ['openai-api-key', `sk-proj-${random(74)}T3BlbkFJ${random(75)}`],
  ['anthropic-api-key', `sk-ant-api03-${random(93)}AA`],
  ['hugging-face-token', `hf_${random(34)}`],
  ['npm-token', `npm_${random(36)}`],
  ['private-key', pem('RSA ')],
  ['private-key', pem('OPENSSH ')],
  ['jwt', `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI${random(20)}.${random(43)}`],
  ['authorization-header', random(40), (secret) => `Authorization: Bearer ${secret}`],
  ['password-in-address', 's3cretPw', (secret) => `postgres://ada:${secret}@db.example.com:5432/app`],
  ['password-in-address', 'other9Pw', (secret) => `https://ada:${secret}@example.com/x`],
  ['password', 'hunter2x', (secret) => `password: ${secret}`],
  ['svc-oauth-token', createSecret('svo_')],
];

/** Secrets of every kind. */
export const SAMPLES: readonly Sample[] = hidden.map(([kind, secret, around = (own) => own]) => ({
  kind,
  secret,
  text: around(secret),
}));

/** A part of a secret that nothing else holds; of a long one a line within. */
export const coreOf = ({ secret }: Sample) =>
  secret.includes('\n') ? (secret.split('\n')[2] ?? '') : secret;

/** The ways a secret stands in a text. */
export const PLACEMENTS: Readonly<Record<string, (sample: Sample) => string>> = {
  'in a sentence': ({ text }) => `We noted ${text} and then we went on.`,
  alone: ({ text }) => text,
  'in JSON': ({ text }) => JSON.stringify({ note: `see ${text} ok` }),
  'in JSON within JSON': ({ text }) => JSON.stringify({ body: JSON.stringify({ note: `see ${text} ok` }) }),
  'in Markdown code': ({ text }) => `Use \`${text}\` please.`,
  'in a fence': ({ text }) => `\`\`\`sh\nexport X="${text}"\n\`\`\`\nthen`,
  'in an address': ({ text }) => `https://x.example/?q=${encodeURIComponent(text)}&y=1`,
  'with CRLF': ({ text }) => `one\r\n${text.replaceAll('\n', '\r\n')}\r\ntwo`,
  quoted: ({ text }) =>
    `Hi\n${text}`
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  'in HTML': ({ text }) => `<code>${text}</code>`,
  'with a character that cannot be seen': ({ text, secret }) =>
    text.replace(secret, `${secret.slice(0, 5)}\u200b${secret.slice(5)}`),
};

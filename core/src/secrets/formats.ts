/** A well-known format of secrets, beside those that the rule set knows. */
interface SecretFormat {
  readonly kind: string;
  /** Global. What is secret is the group `secret`, or all of it. */
  readonly pattern: RegExp;
  /** The same where the next line may follow at once. */
  readonly open?: RegExp;
  /** Texts of this form that are no secrets. */
  readonly unless?: (secret: string) => boolean;
}

// Letters and digits that belong to the word before; a line end, a quote or a sign begins anew.
const START = '(?<![A-Za-z0-9])';
const END = '(?![A-Za-z0-9])';
const token = (kind: string, body: string, flags = 'g'): SecretFormat => ({
  kind,
  pattern: new RegExp(`${START}(?:${body})`, flags),
  open: new RegExp(`${START}(?:${body.replaceAll(END, '')})`, flags),
});

const isHex = (text: string) => /^[0-9a-f]+$/i.test(text);
const isMixed = (text: string) => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text);
// What people and tools write in place of a secret.
const PLACEHOLDER =
  /^(?:[$<{%[(].*|[*x.•…_-]+|\.{3,}.*|.*\$\{.*|.*[<{([].*|null|none|nil|true|false|undefined|(?:your|my|the|some|example|sample|dummy|fake|test|change|replace|insert|enter|todo|tbd|redacted|hidden|masked|secret|password|passwd|token|key|process|os|env|config|settings|options|self|this|props|string|number|boolean|required|optional)(?:[-_.:\s].*)?)$/i;
const isPlaceholder = (text: string) => PLACEHOLDER.test(text);
// A value that nobody writes as a word: letters with digits, or signs within, and no term such as "12-character".
const isWordlike = (text: string) =>
  isPlaceholder(text) ||
  text.length < 6 ||
  !/[A-Za-z]/.test(text) ||
  !/[\d!@#$%^&*]/.test(text) ||
  /^\d+[-_]?[a-z]+$/i.test(text) ||
  /^v?\d+(?:[.:/-]\d+)*\w?$/.test(text) ||
  (/^[a-z]+(?:[-_.:/][a-z]+)*[-_.]?\d{0,2}$/.test(text) === true && !/[a-z]\d$/.test(text));

const NAME =
  '(?:password|passwd|passphrase|passcode|pwd|(?:api|access|auth|account|secret|signing|encryption|client|bearer|refresh|session|private)[-_ ]?(?:key|token|secret)|secret|token|credentials?)';

/** Forty characters soon after an access key id, or after a name that says so. */
function awsSecretKey(): SecretFormat {
  const before = '(?:(?:AKIA|ASIA)[A-Z2-7]{16}|aws[\\w .-]{0,20}(?:secret|key)|secret[-_ ]?access[-_ ]?key)';
  const body = '(?<secret>[A-Za-z0-9/+]{40})';
  return {
    kind: 'aws-secret-key',
    pattern: new RegExp(`${before}[\\s\\S]{1,60}?(?<![A-Za-z0-9/+=])${body}(?![A-Za-z0-9/+=])`, 'gi'),
    open: new RegExp(`${before}[\\s\\S]{0,60}?${body}`, 'gi'),
    unless: (secret) => isHex(secret) || !isMixed(secret),
  };
}

/**
 * In order of who wins where two find the same. Patterns are linear: every repetition is bounded, or ends where the
 * next begins.
 */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  token('aws-access-key', `(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}${END}`),
  awsSecretKey(),
  {
    kind: 'aws-session-token',
    pattern: /session[-_ ]?token["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?<secret>[A-Za-z0-9/+=]{80,4096})/gi,
  },
  token('google-api-key', 'AIza[\\w-]{35}'),
  token('google-oauth-token', 'ya29\\.[\\w-]{20,2048}'),
  token('google-oauth-secret', 'GOCSPX-[\\w-]{28}'),
  {
    kind: 'azure-key',
    pattern: /(?:Account|SharedAccess)Key\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{42,88}={0,2})/gi,
  },
  { kind: 'azure-signature', pattern: /[?&;]sig=(?<secret>[A-Za-z0-9%+/_-]{30,200}={0,2})/gi },
  token('azure-client-secret', '[\\w~.-]{3}\\dQ~[\\w~.-]{31,34}'),
  token('azure-devops-token', `[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}${END}`),
  token('github-token', '(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\\w{22,255})'),
  token(
    'gitlab-token',
    '(?:gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|wt|ffct)-|gloas-|GR1348941)[\\w.-]{20,300}',
  ),
  token('slack-token', '(?:xox[a-z](?:\\.xox[a-z])?-|xapp-|xwfp-)[\\w-]{10,300}'),
  {
    kind: 'slack-webhook',
    pattern: /hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/(?<secret>[\w/-]{20,200})/gi,
  },
  {
    kind: 'discord-webhook',
    pattern: /discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/(?<secret>\d{10,25}\/[\w-]{30,120})/gi,
  },
  {
    kind: 'teams-webhook',
    pattern: /webhook\.office\.com\/(?:webhookb2|[\w/]{1,40})\/(?<secret>[\w@/-]{30,400})/gi,
  },
  token('discord-token', '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,60}'),
  token('stripe-key', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255}'),
  token('anthropic-api-key', 'sk-ant-[\\w-]{20,255}'),
  token('openrouter-api-key', 'sk-or-v1-[0-9a-f]{32,128}'),
  token('openai-api-key', `sk-(?:(?:proj|svcacct|admin|None)-[\\w-]{20,300}|[A-Za-z0-9]{32,128}${END})`),
  token('hugging-face-token', '(?:hf_|api_org_)[A-Za-z0-9]{30,100}'),
  token('npm-token', 'npm_[A-Za-z0-9]{36}'),
  token('pypi-token', 'pypi-[\\w-]{50,300}'),
  token('rubygems-key', 'rubygems_[0-9a-f]{48}'),
  token('docker-token', 'dckr_(?:pat|oat)_[\\w-]{20,100}'),
  token('groq-api-key', 'gsk_[A-Za-z0-9]{40,100}'),
  token('xai-api-key', 'xai-[A-Za-z0-9]{60,120}'),
  token('perplexity-api-key', 'pplx-[A-Za-z0-9]{40,100}'),
  token('replicate-token', `r8_[A-Za-z0-9]{37,40}${END}`),
  token('vault-token', 'hv[sbr]\\.[\\w-]{20,300}'),
  token('terraform-token', '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,100}'),
  token('digitalocean-token', 'do[oprt]_v1_[0-9a-f]{64}'),
  token('sendgrid-key', 'SG\\.[\\w-]{16,32}\\.[\\w-]{32,64}'),
  token('twilio-key', `SK[0-9a-f]{32}${END}`),
  token('mailgun-key', `key-[0-9a-f]{32}${END}`),
  token('mailchimp-key', `[0-9a-f]{32}-us\\d{1,2}${END}`),
  token('telegram-token', `\\d{8,10}:AA[\\w-]{33}${END}`),
  token('shopify-token', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'),
  token('square-token', '(?:sq0[a-z]{3}-[\\w-]{22,60}|EAAA[\\w-]{60})'),
  token('linear-key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,64}'),
  token('notion-token', '(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})'),
  token('figma-token', 'figd_[\\w-]{30,60}'),
  token('grafana-token', 'gl(?:sa|c)_[\\w=+/-]{32,300}'),
  token('databricks-token', 'dapi[0-9a-f]{32}(?:-\\d)?'),
  token('tailscale-key', 'tskey-[a-z]+-[\\w-]{20,100}'),
  token('supabase-key', '(?:sbp_[0-9a-f]{40}|sb_secret_[\\w-]{20,60})'),
  token('planetscale-key', 'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,64}'),
  token('doppler-token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[\\w-]{1,35}\\.)?[A-Za-z0-9]{40,44}'),
  token('postman-key', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  token('newrelic-key', 'NR(?:AK|JS|II)-[A-Za-z0-9-]{19,40}'),
  token('sentry-token', 'sntry[su]_[\\w=+/.-]{40,400}'),
  token('airtable-token', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  token('atlassian-token', 'ATATT3[\\w=-]{50,300}'),
  token('cloudflare-key', 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}'),
  token('1password-token', 'ops_eyJ[\\w-]{50,4096}'),
  token('age-key', 'AGE-SECRET-KEY-1[0-9A-Z]{58}', 'gi'),
  {
    kind: 'jwt',
    pattern:
      /(?<![A-Za-z0-9])(?<![\w-]{40})eyJ[\w-]{8,2048}\.[\w-]{2,8192}\.[\w-]{8,4096}(?:\.[\w-]{2,4096}){0,2}/g,
  },
  {
    kind: 'password-in-address',
    pattern:
      /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,24}:\/\/[^\s:@/?#"'<>`]{0,128}:(?<secret>[^\s/"'<>`]{1,256}|[^\s"'<>`@]{1,256})@(?=[\w.[%-])/gi,
    // After a colon may stand a port, and an @ far behind it.
    unless: (secret) => isPlaceholder(secret) || /^\d{1,5}\//.test(secret),
  },
  {
    kind: 'authorization-header',
    pattern:
      /\b(?:proxy-)?authorization["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?:(?:bearer|basic|token|digest|apikey|negotiate|aws4-hmac-sha256)\s{1,4})?(?<secret>[\w.~+/=-]{8,8192})/gi,
    unless: (secret) => isPlaceholder(secret) || /^(?:bearer|basic|token|digest|header)/i.test(secret),
  },
  {
    kind: 'bearer-token',
    pattern: /\b(?:bearer|basic)\s{1,4}(?<secret>[\w.~+/=-]{16,8192})/gi,
    unless: (secret) => !/\d/.test(secret) || !/[a-z]/i.test(secret) || isPlaceholder(secret),
  },
  {
    kind: 'api-key-header',
    pattern:
      /\b(?:x-)?(?:api|auth|access)-?(?:key|token)["'`]?\s{0,4}:\s{0,4}["'`]?(?<secret>[\w.~+/=-]{16,512})/gi,
    unless: isWordlike,
  },
  {
    kind: 'password',
    pattern: /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,128}:(?<secret>[^\s"']{1,256})/g,
    unless: isPlaceholder,
  },
  {
    kind: 'password',
    // Variables and properties, as in files of settings: DB_PASSWORD=…, "apiKey": "…", password = '…'.
    pattern: new RegExp(
      `(?:(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,40}[-_.]){0,6}|(?<=[a-z]))${NAME}(?:[-_][A-Za-z0-9]{1,20}){0,2}["'\`]?[ \\t]{0,4}(?:=>|:=|[:=])[ \\t]{0,4}(?:(?<quote>["'\`])(?<quoted>(?:(?!\\k<quote>)[^\\n]){6,512})\\k<quote>|(?<bare>[^\\s"'\`,;)\\]}<>|*]{6,4096}))`,
      'gi',
    ),
    unless: isWordlike,
  },
];

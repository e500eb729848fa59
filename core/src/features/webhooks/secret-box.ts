import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets for the database. */
export interface SecretBox {
  /** @param owner Id of what the secret belongs to. Only the same owner can open it. */
  seal(secret: string, owner: string): string;
  /** @throws UnreadableSecretError when another key or owner sealed it, or it was changed. */
  open(sealed: string, owner: string): string;
}

/** Thrown when a stored secret cannot be decrypted: the service's own secret or the row was changed. */
export class UnreadableSecretError extends Error {
  override readonly name = 'UnreadableSecretError';
  constructor() {
    super('the stored secret cannot be read since SVC_SECRET changed; rotate it');
  }
}

const VERSION = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a key derived from the service's secret, which should have at least 32 random characters. */
export function createSecretBox(serviceSecret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', serviceSecret, '', 'svc secret box v1', 32));
  return {
    seal: (secret, owner) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open: (sealed, owner) => {
      try {
        return open(key, sealed, owner);
      } catch {
        throw new UnreadableSecretError();
      }
    },
  };
}

function open(key: Buffer, sealed: string, owner: string): string {
  const [version, text = ''] = sealed.split('.');
  if (version !== VERSION) throw new UnreadableSecretError();
  const bytes = Buffer.from(text, 'base64url');
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

import { createHash, createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;

/** Prefix of API keys, session keys, and codes and tokens of OAuth. A secret scanner recognises them by it. */
type SecretPrefix = 'svc_' | 'svs_' | 'svo_';

/** Creates a secret: prefix, 30 random base62 characters (178 bits), 6 characters of checksum. */
export function createSecret(prefix: SecretPrefix): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE62[randomInt(BASE62.length)]).join('');
  return `${prefix}${random}${checksum(random)}`;
}

/**
 * Derives a token of OAuth from another secret, by a key. Without both of them nobody can tell it.
 *
 * @param purpose Tells apart the tokens that are derived from one.
 */
export function deriveToken(from: string, key: string, purpose: string): string {
  let rest = BigInt(`0x${createHmac('sha256', key).update(`${purpose} ${from}`).digest('hex')}`);
  let random = '';
  for (let index = 0; index < RANDOM_CHARACTERS; index += 1) {
    random += BASE62[Number(rest % 62n)];
    rest /= 62n;
  }
  return `svo_${random}${checksum(random)}`;
}

/** Whether a value has the form and checksum of a secret. Mistyped and foreign keys are refused without a query. */
export function isWellFormedSecret(value: string, prefix: SecretPrefix): boolean {
  if (value.length !== prefix.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS || !value.startsWith(prefix)) {
    return false;
  }
  const random = value.slice(prefix.length, -CHECKSUM_CHARACTERS);
  return value.endsWith(checksum(random));
}

/** The hash that is stored of a secret. It has no salt: 178 random bits cannot be guessed, and the look-up needs equality. */
export function hashSecret(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** The end of a secret, which is shown to tell keys apart. It is checksum, and leaves more than 150 bits unknown. */
export function lastFourOf(value: string): string {
  return value.slice(-4);
}

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  for (let index = 0; index < CHECKSUM_CHARACTERS; index += 1) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

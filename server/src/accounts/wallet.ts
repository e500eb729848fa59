import type { Engine, WalletChallenge } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import * as Address from 'ox/Address';
import * as Hex from 'ox/Hex';
import * as PersonalMessage from 'ox/PersonalMessage';
import * as Secp256k1 from 'ox/Secp256k1';
import * as Signature from 'ox/Signature';
import * as Siwe from 'ox/Siwe';
import { presentAgent } from './agents.ts';
import type { AccountHandler } from './handler.ts';

/** EIP-155 id of Ethereum's main network. No chain is read: the id is only a part of the signed message. */
const CHAIN_ID = 1;
/** Hosts that a message may name. */
const DOMAINS = [Siwe.domainRegex, Siwe.ipRegex, Siwe.localhostRegex];
const STATEMENT = 'Sign in to the Agent Memory Service. This signs no transaction and costs nothing.';

/** Signs an agent in with its wallet. POST /auth/wallet. */
export const wallet: AccountHandler<'wallet'> = async (dependencies, { input, request, response }) => {
  const { engine, settings, limits, serviceUrl } = dependencies;
  const { address, message, signature } = input;
  await limits.attempt(request, response);
  if (address !== undefined) {
    const challenge = await challengeWallet(engine, address, serviceUrl());
    return {
      outcome: 'challenge',
      message: challenge.message,
      expires_at: challenge.expiresAt.toISOString(),
    };
  }
  if (message === undefined || signature === undefined) throw new TypeError('the contract asks for both');
  const signer = await verifyWallet(engine, { message, signature }, serviceUrl());
  const { tenant, apiKey } = await engine.wallets.signIn(signer, settings.allowSignup);
  return { outcome: 'created', tenant: presentAgent(tenant), api_key: apiKey };
};

/**
 * Opens a sign-in: the message that the wallet is to sign (EIP-4361).
 *
 * @param address The wallet, checksummed or not.
 * @param serviceUrl Address of this service; its host is the message's domain.
 */
async function challengeWallet(engine: Engine, address: string, serviceUrl: string) {
  const { host } = new URL(serviceUrl);
  if (!DOMAINS.some((domain) => domain.test(host))) {
    const names = 'a name with a dot, localhost or an IPv4 address';
    throw new SvcError('UNAVAILABLE', `Wallets sign in at ${names}, and SVC_PUBLIC_URL names ${host}.`);
  }
  const challenge = await engine.wallets.challenge(address.toLowerCase(), Siwe.generateNonce());
  return { message: messageOf(challenge, serviceUrl), expiresAt: challenge.expiresAt };
}

/**
 * Checks a signed message and uses it up; answers the wallet's address. Every field must be as in the message we gave:
 * domain, URI, version, chain id, nonce, issued-at, expiration and statement, nothing more and nothing less.
 *
 * @throws SvcError `UNAUTHORIZED`, the same whatever is wrong.
 */
async function verifyWallet(
  engine: Engine,
  { message, signature }: { message: string; signature: string },
  serviceUrl: string,
): Promise<string> {
  const challenge = readChallenge(message, serviceUrl);
  if (!challenge || !isSignedBy(challenge.address, message, signature)) throw refused();
  await engine.wallets.redeem(challenge).catch((error: unknown) => {
    throw error instanceof SvcError && error.code === 'UNAUTHORIZED' ? refused() : error;
  });
  return challenge.address;
}

function messageOf({ address, nonce, issuedAt, expiresAt }: WalletChallenge, serviceUrl: string): string {
  const { host, origin } = new URL(serviceUrl);
  return Siwe.createMessage({
    address: Address.checksum(address),
    domain: host,
    statement: STATEMENT,
    uri: origin,
    version: '1',
    chainId: CHAIN_ID,
    nonce,
    issuedAt,
    expirationTime: expiresAt,
  });
}

/** The challenge that a message speaks of; undefined for what is not the message of one. */
function readChallenge(message: string, serviceUrl: string): WalletChallenge | undefined {
  try {
    const { address, nonce, issuedAt, expirationTime } = Siwe.parseMessage(message);
    if (!address || !nonce || !issuedAt || !expirationTime) return undefined;
    const challenge = { address: address.toLowerCase(), nonce, issuedAt, expiresAt: expirationTime };
    return messageOf(challenge, serviceUrl) === message ? challenge : undefined;
  } catch {
    return undefined;
  }
}

function isSignedBy(address: string, message: string, signature: string): boolean {
  try {
    Hex.assert(signature);
    const payload = PersonalMessage.getSignPayload(Hex.fromString(message));
    const signer = Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(signature) });
    return signer.toLowerCase() === address;
  } catch {
    return false;
  }
}

function refused(): SvcError {
  return new SvcError(
    'UNAUTHORIZED',
    'The message and its signature are not valid. Ask for a new message, sign it as it is, and send it within 10 minutes.',
  );
}

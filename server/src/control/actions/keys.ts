import type { Engine, NewApiKey, TenantRecord } from '@svc-memory/core';
import { fields, SvcError } from '@svc-memory/core/contract';
import { z } from 'zod';
import { chooseTenant, tenantHint } from '../choose-tenant.ts';
import { CliError } from '../cli-error.ts';
import type { EngineAction } from '../engine-action.ts';

const scope = z.enum(fields.KEY_SCOPES);

const shownKey = z.object({
  id: z.string(),
  name: z.string(),
  scope,
  userId: z.string().nullable().default(null),
  lastFour: z.string().nullable(),
  createdAt: z.coerce.date(),
  expiresAt: z.coerce.date().nullable(),
  revokedAt: z.coerce.date().nullable(),
  lastUsedAt: z.coerce.date().nullable(),
  lastUsedAddress: z.string().nullable(),
  replacedBy: z.string().nullable(),
});
/** An API key without its secret. */
export type ShownKey = z.output<typeof shownKey>;

const madeKey = z.object({
  tenant: z.object({ id: z.string(), displayName: z.string() }),
  key: shownKey.extend({ secret: z.string() }),
});
/** A key just made, with the tenant it is of. Its secret is shown only here. */
export type MadeKey = z.output<typeof madeKey>;

const newKey = tenantHint.extend({
  name: z.string(),
  scope,
  expiresAt: z.coerce.date().optional(),
  /** The user to bind the key to. */
  userId: fields.userId.optional(),
  /** Display name of a tenant to make for the key. */
  newTenant: z.string().optional(),
  plan: z.enum(fields.PLANS),
});
export type NewKeyRequest = z.output<typeof newKey>;

const oneKey = tenantHint.extend({ id: z.string() });

/** The API keys of a tenant, newest first. */
export const listKeys: EngineAction<z.output<typeof tenantHint>, ShownKey[]> = {
  name: 'keys.list',
  input: tenantHint,
  output: z.array(shownKey),
  run: async (engine, hint) => engine.apiKeys.list((await chooseTenant(engine, hint)).id),
};

/** Makes an API key, and on request a tenant for it. */
export const createKey: EngineAction<NewKeyRequest, MadeKey> = {
  name: 'keys.create',
  input: newKey,
  output: madeKey,
  run: async (engine, { newTenant, plan, name, scope, expiresAt, userId, ...hint }) => {
    const owner =
      newTenant === undefined
        ? await chooseTenant(engine, hint)
        : await engine.tenants.create({ displayName: newTenant, plan });
    return made(
      owner,
      await engine.apiKeys.create(owner.id, {
        name,
        scope,
        ...(expiresAt && { expiresAt }),
        ...(userId && { userId }),
      }),
    );
  },
};

const rotation = oneKey.extend({
  overlapHours: z.number(),
  /** The key in `credentials.json`. */
  savedKey: z.string().optional(),
});

const rotated = madeKey.extend({
  /** Whether the old key is the one in `credentials.json`. */
  wasSaved: z.boolean(),
});

/** Makes a key in place of another, which ends after some hours. */
export const rotateKey: EngineAction<z.output<typeof rotation>, z.output<typeof rotated>> = {
  name: 'keys.rotate',
  input: rotation,
  output: rotated,
  run: async (engine, { id, overlapHours, savedKey, ...hint }) => {
    const owner = await chooseTenant(engine, hint);
    const old = await findKey(engine, owner, id);
    const saved = savedKey && (await engine.apiKeys.authenticate(savedKey).catch(() => undefined));
    const { key } = await engine.apiKeys.rotate(owner.id, old.id, overlapHours).catch((error: unknown) => {
      if (!(error instanceof SvcError && error.code === 'CONFLICT')) throw error;
      throw new CliError(`API key "${old.name}" (${old.id}) has ended or was rotated before.`, {
        fix: 'Make a new one: npx svc-memory keys create',
        cause: error,
      });
    });
    return { ...made(owner, key), wasSaved: saved ? saved.keyId === old.id : false };
  },
};

/** Ends an API key at once. */
export const revokeKey: EngineAction<z.output<typeof oneKey>, ShownKey> = {
  name: 'keys.revoke',
  input: oneKey,
  output: shownKey,
  run: async (engine, { id, ...hint }) => {
    const owner = await chooseTenant(engine, hint);
    const { id: known } = await findKey(engine, owner, id);
    return engine.apiKeys.revoke(owner.id, known);
  },
};

function made({ id, displayName }: TenantRecord, key: NewApiKey): MadeKey {
  return { tenant: { id, displayName }, key };
}

async function findKey(engine: Engine, { id: tenantId, displayName }: TenantRecord, id: string) {
  const key = (await engine.apiKeys.list(tenantId)).find((known) => known.id === id.toLowerCase());
  if (key) return key;
  throw new CliError(`${displayName} has no API key with the id ${id}.`, {
    fix: '`npx svc-memory keys list` shows the ids.',
  });
}

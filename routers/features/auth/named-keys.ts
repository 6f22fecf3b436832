import { z } from 'zod';
import {
  countNamedKeys,
  deleteNamedKey,
  insertNamedKey,
  type NamedKey,
  namedKeyOf,
  namedKeysOf,
  updateNamedKey,
} from '../../../db/account/named-key.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { type PageAsked, toContentPage, windowOf } from '../../base/paging.js';
import { changedEndInput, expiryInput, iso, isoOrNull } from '../../base/text/dates.js';
import { lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Context } from '../../core/context.js';
import { isRowId } from '../../core/items/ids.js';
import { notifyHolder } from '../../core/mail/access-notices.js';
import { requireMainCredential, SCOPES } from '../../core/scopes.js';
import { hashApiKey, newApiKey } from '../../core/secrets.js';
import { loginInput, proveByPassword } from './login.js';

/** Maximum named keys of an account. */
const MAX_KEYS = 100;
/** Characters of a key that its list shows. */
const PREFIX_LENGTH = 8;

/** A named key in the API (contract §7). */
export const namedKeyRecord = z.object({
  id: z.int(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  asVisitor: z.boolean(),
  createOnly: z.boolean(),
  prefix: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  lastUsedIp: z.string().nullable(),
  expiresAt: z.iso.datetime().nullable(),
});
export type NamedKeyRecord = z.output<typeof namedKeyRecord>;

/** A new key: the only answer that contains the key itself. */
export const newKeyRecord = namedKeyRecord.extend({ key: z.string() });

const name = z.string().trim().min(1).max(60);
const scopes = z.array(z.enum(SCOPES)).min(1).max(SCOPES.length);
/** Null clears it. */
const flag = z
  .boolean()
  .nullable()
  .transform((is) => is ?? false);

/** What a new key needs; it has no expiry unless one is given. */
export const newKeyInput = z.object({
  name,
  scopes,
  expiresAt: expiryInput,
  asVisitor: flag.default(false),
  createOnly: flag.default(false),
});

/**
 * What can be changed of a key; absent fields stay, null clears a flag or the expiry, and an expiry in the past ends the
 * key at once.
 */
export const keyChangeInput = z.object({
  id: z.int(),
  name: name.optional(),
  scopes: scopes.optional(),
  expiresAt: changedEndInput,
  asVisitor: flag.optional(),
  createOnly: flag.optional(),
});

/** Who asks for a key by the password, and what it is called. */
export const uploadKeyInput = loginInput.pick({ email: true, password: true }).extend({ name });

const toRecord = (key: NamedKey): NamedKeyRecord => ({
  id: key.id,
  name: key.name,
  // A scope that this version does not know allows nothing.
  scopes: SCOPES.filter((scope) => key.scopes.includes(scope)),
  asVisitor: key.asVisitor,
  createOnly: key.createOnly,
  prefix: key.prefix,
  createdAt: iso(key.createdAt),
  lastUsedAt: isoOrNull(key.lastUsedAt),
  lastUsedIp: key.lastUsedIp,
  expiresAt: isoOrNull(key.expiresAt),
});

/** A page of the caller's named keys, newest first. */
export async function listKeys({ app, account }: AccountContext, asked: PageAsked) {
  // What was used a moment ago is shown.
  await app.keyUses.flush();
  const { read } = app.db;
  const [keys, total] = await Promise.all([
    namedKeysOf(read, account.id, windowOf(asked)),
    countNamedKeys(read, account.id),
  ]);
  return toContentPage(asked, keys.map(toRecord), total);
}

/** Creates a named key; only this answer shows it, as its hash alone is stored. */
export async function createKey(
  ctx: AccountContext,
  input: z.output<typeof newKeyInput>,
): Promise<z.output<typeof newKeyRecord>> {
  requireMainCredential(ctx.account);
  return makeKey(ctx, ctx.account.id, input);
}

/** A key for a program that has proved to know the password of an account, to upload, list and delete files. */
export async function createUploadKey(ctx: Context, input: z.output<typeof uploadKeyInput>): Promise<string> {
  const { id } = await proveByPassword(ctx, input);
  const { key } = await makeKey(ctx, id, {
    ...{ name: input.name, scopes: ['images:read', 'images:write'], expiresAt: null },
    ...{ asVisitor: false, createOnly: false },
  });
  return key;
}

async function makeKey(
  ctx: Context,
  accountId: number,
  input: z.output<typeof newKeyInput>,
): Promise<z.output<typeof newKeyRecord>> {
  const { app } = ctx;
  const key = newApiKey();
  const entry = {
    name: input.name,
    scopes: SCOPES.filter((scope) => input.scopes.includes(scope)),
    asVisitor: input.asVisitor,
    createOnly: input.createOnly,
    prefix: key.slice(0, PREFIX_LENGTH),
    createdAt: Date.now(),
    expiresAt: input.expiresAt,
  };
  const id = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, accountId);
    if ((await countNamedKeys(trx, accountId)) >= MAX_KEYS)
      fail('INVALID', localizable('An account may have {max} keys; delete one first', { max: MAX_KEYS }));
    const made = await insertNamedKey(trx, { ...entry, userId: accountId, hash: hashApiKey(key) });
    await audit(ctx, trx, 'key.created', { actor: accountId, subject: accountId, info: { key: made } });
    await notifyHolder(app, trx, user, { what: 'keyCreated', name: input.name });
    return made;
  });
  app.jobs.kick();
  return { ...toRecord({ ...entry, id, lastUsedAt: null, lastUsedIp: null }), key };
}

/** Changes a named key of the caller; 404 if it is not theirs. */
export async function changeKey(
  ctx: AccountContext,
  { id, ...change }: z.output<typeof keyChangeInput>,
): Promise<NamedKeyRecord> {
  requireMainCredential(ctx.account);
  if (!isRowId(id)) fail('NOT_FOUND');
  const { app, account } = ctx;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const changed = await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    if (!(await updateNamedKey(trx, account.id, id, given))) fail('NOT_FOUND');
    await audit(ctx, trx, 'key.changed', { subject: account.id, info: { key: id } });
    const now = found(await namedKeyOf(trx, account.id, id));
    await notifyHolder(app, trx, user, { what: 'keyChanged', name: now.name });
    return toRecord(now);
  });
  app.jobs.kick();
  return changed;
}

/** Deletes a named key of the caller, which stops working at once; 404 if it is not theirs. */
export async function deleteKey(ctx: AccountContext, id: number): Promise<void> {
  requireMainCredential(ctx.account);
  if (!isRowId(id)) fail('NOT_FOUND');
  await endKey(ctx, id);
}

/** Deletes the named key with which the caller asks, as a machine does that signs out; 400 for other credentials. */
export async function deleteThisKey(ctx: AccountContext): Promise<void> {
  const { key } = ctx.account;
  if (key === null || key.isMain) fail('INVALID', 'Only a named key can end itself');
  await endKey(ctx, key.id);
}

async function endKey(ctx: AccountContext, id: number): Promise<void> {
  const { app, account } = ctx;
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    const { name: called } = found(await namedKeyOf(trx, account.id, id));
    await deleteNamedKey(trx, account.id, id);
    await audit(ctx, trx, 'key.deleted', { subject: account.id, info: { key: id } });
    await notifyHolder(app, trx, user, { what: 'keyDeleted', name: called });
  });
  app.jobs.kick();
}

import { z } from 'zod';
import { fail, found } from '../../base/errors.js';
import { contentPageAsked, contentPageInput, contentPageOf } from '../../base/paging.js';
import { transferInput } from '../../base/transfer.js';
import { findUser } from '../../core/accounts/find.js';
import { accountOf } from '../../core/accounts/people.js';
import { fullUser, publicUser, toFullUser, toOwnUser, toUserFor } from '../../core/accounts/record.js';
import type { AccountContext } from '../../core/context.js';
import { uidInput } from '../../core/items/ids.js';
import { admin, creator, open, quiet, router, signedIn } from '../../core/trpc.js';
import {
  changeKey,
  confirmPassword,
  createKey,
  deleteKey,
  deleteThisKey,
  describeKey,
  keyChangeInput,
  listKeys,
  mainKeyState,
  namedKeyRecord,
  newKeyInput,
  newKeyRecord,
  replaceKey,
  requireSamePassword,
  setSessionCookie,
  switchKeyOff,
} from '../auth/public.js';
import { delivery, stagedUploadInput } from '../image/public.js';
import { createUser, createUserInput } from './create.js';
import { languageProcedures } from './language.js';
import { pictureOf, resetPicture, setPicture } from './picture.js';
import { deleteAccount } from './removal.js';
import { sealProcedures } from './seal.js';
import {
  patchSocials,
  patchUrlSettings,
  socialsPatch,
  urlSettings,
  urlSettingsOf,
  urlSettingsPatch,
} from './settings.js';
import {
  listUploaders,
  uploaderFile,
  uploaderRecord,
  writeUploader,
  writeUploaderWithKey,
} from './uploaders.js';
import { patchWebhookSettings, readWebhookSettings, webhookPatch, webhookSettings } from './webhook.js';

const nothing = z.object({});
const own = (ctx: AccountContext) => accountOf(ctx.app, ctx.account.id);

/** Accounts as their owners and others see them (contract §4, Accounts). */
export const userRouter = router({
  me: signedIn('account:read')
    .output(fullUser)
    .query(async ({ ctx }) => toOwnUser(ctx, await own(ctx))),

  /** An account by username, e-mail address or id; other callers see less of it. */
  get: signedIn('account:read')
    .input(z.object({ username: z.string().min(1).max(254) }))
    .output(publicUser)
    .query(async ({ ctx, input }) => toUserFor(ctx, await findUser(ctx.app, input.username))),

  create: admin('admin:write')
    .input(createUserInput)
    .output(fullUser)
    .mutation(async ({ ctx, input }) => toFullUser(ctx.app, await createUser(ctx, input), false)),

  /** Deletes the caller's account and all its content; the password confirms it. */
  delete: signedIn('account:write')
    .input(z.object({ password: z.string({ error: 'send your password in "password"' }).min(1).max(200) }))
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      const confirmed = await confirmPassword(ctx, input.password);
      await deleteAccount(ctx, ctx.account.id, (_trx, user, owners) => {
        requireSamePassword(confirmed, user);
        if (user.role === 'OWNER' && owners.length < 2) fail('LAST_OWNER');
      });
      setSessionCookie(ctx, null);
      return {};
    }),

  replaceKey: signedIn('account:write')
    .output(z.object({ apiKey: z.string() }))
    .mutation(async ({ ctx }) => ({ apiKey: found(await replaceKey(ctx)) })),

  mainKey: signedIn('account:read')
    .output(mainKeyState)
    .query(({ ctx }) => describeKey(ctx)),

  switchKeyOff: signedIn('account:write')
    .output(nothing)
    .mutation(quiet(({ ctx }) => switchKeyOff(ctx))),

  keys: signedIn('account:read')
    .input(contentPageInput.optional())
    .output(contentPageOf(namedKeyRecord))
    .query(({ ctx, input }) => listKeys(ctx, contentPageAsked(input))),

  createKey: signedIn('account:write')
    .input(newKeyInput)
    .output(newKeyRecord)
    .mutation(({ ctx, input }) => createKey(ctx, input)),

  changeKey: signedIn('account:write')
    .input(keyChangeInput)
    .output(namedKeyRecord)
    .mutation(({ ctx, input }) => changeKey(ctx, input)),

  deleteKey: signedIn('account:write')
    .input(z.object({ id: z.int() }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => deleteKey(ctx, input.id))),

  /** Any named key may end itself. */
  deleteThisKey: signedIn(null)
    .output(nothing)
    .mutation(quiet(({ ctx }) => deleteThisKey(ctx))),

  urlSettings: signedIn('account:read')
    .output(urlSettings)
    .query(async ({ ctx }) => urlSettingsOf(await own(ctx))),

  patchUrlSettings: signedIn('account:write')
    .input(urlSettingsPatch)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => patchUrlSettings(ctx, input))),

  ...languageProcedures,
  ...sealProcedures,

  webhookSettings: signedIn('account:read')
    .output(webhookSettings)
    .query(({ ctx }) => readWebhookSettings(ctx)),

  patchWebhookSettings: signedIn('account:write')
    .input(webhookPatch)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => patchWebhookSettings(ctx, input))),

  patchSocials: signedIn('account:write')
    .input(socialsPatch)
    .output(z.object({ uid: z.int(), socials: fullUser.shape.socials }))
    .mutation(async ({ ctx, input }) => ({ uid: ctx.account.id, socials: await patchSocials(ctx, input) })),

  /** The picture of an account: uploaded bytes or a generated SVG. */
  avatar: open(null)
    .input(z.object({ uid: uidInput, transfer: transferInput }))
    .output(z.union([z.object({ as: z.literal('generated'), svg: z.string() }), delivery]))
    .query(({ ctx, input }) => pictureOf(ctx, input.uid, input.transfer)),

  setAvatar: creator('account:write')
    .input(z.object({ file: stagedUploadInput }))
    .output(fullUser)
    .mutation(async ({ ctx, input }) => {
      await setPicture(ctx, input.file);
      return toOwnUser(ctx, await own(ctx));
    }),

  resetAvatar: signedIn('account:write')
    .output(fullUser)
    .mutation(async ({ ctx }) => {
      await resetPicture(ctx);
      return toOwnUser(ctx, await own(ctx));
    }),

  uploaders: signedIn('account:read')
    .input(z.object({ all: z.boolean().nullish() }).optional())
    .output(z.array(uploaderRecord))
    .query(({ ctx, input }) => listUploaders(ctx.app.settings.baseUrl, input?.all === true)),

  uploader: signedIn('account:read')
    .input(z.object({ file: z.string().max(64) }))
    .output(uploaderFile)
    .query(({ ctx, input }) => writeUploader(ctx, input.file)),

  /** As `uploader`, with a new key of its own that may only create. */
  uploaderWithKey: signedIn('account:write')
    .input(z.object({ file: z.string().max(64) }))
    .output(uploaderFile)
    .mutation(({ ctx, input }) => writeUploaderWithKey(ctx, input.file)),
});

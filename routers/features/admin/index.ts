import { z } from 'zod';
import { toFullUser } from '../../core/accounts/record.js';
import { uidInput, uniqueIdInput } from '../../core/items/ids.js';
import { isFromPortal } from '../../core/portal.js';
import { admin, quiet, router } from '../../core/trpc.js';
import { imageRecord } from '../image/public.js';
import { shortUrlRecord } from '../link/public.js';
import {
  administered,
  administeredUser,
  changedAccount,
  changeUser,
  changeUserInput,
  endSecondFactor,
  listUsersInput,
  removeUser,
  userPage,
  usersPage,
} from './accounts.js';
import { activatePending, decideApproval } from './activation.js';
import {
  allImages,
  allPastes,
  allUrls,
  imagePage,
  imageSearchInput,
  imagesOf,
  imagesPageable,
  listedPaste,
  ofUserInput,
  pageableInput,
  pageOfImages,
  pastePage,
  pastesOf,
  searchInput,
  urlPage,
  urlSearchInput,
  urlsOf,
} from './content.js';
import { adminImage, adminImageInput, adminImageOf, migratedImage, migrateImage } from './image.js';
import {
  createInvites,
  createInvitesInput,
  invitePage,
  inviteRecord,
  invitesPage,
  listInvitesInput,
  revoke,
} from './invites.js';
import {
  auditInput,
  auditLog,
  auditPage,
  metricsOf,
  retryInput,
  retryJobs,
  systemMetrics,
} from './system.js';

const nothing = z.object({});
const byUid = z.object({ uid: uidInput });

/** Administration (contract §4, Statistics and admin). docs/access.md describes the permissions. */
export const adminRouter = router({
  createInvites: admin('admin:write')
    .input(createInvitesInput)
    .output(z.array(inviteRecord))
    .mutation(({ ctx, input }) => createInvites(ctx, input)),

  invites: admin('admin:read')
    .input(listInvitesInput)
    .output(invitePage)
    .query(({ ctx, input }) => invitesPage(ctx, input)),

  revokeInvite: admin('admin:write')
    .input(z.object({ code: z.string().min(1).max(200) }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => revoke(ctx, input.code))),

  users: admin('admin:read')
    .input(listUsersInput)
    .output(userPage)
    .query(({ ctx, input }) => usersPage(ctx, input)),

  user: admin('admin:read')
    .input(byUid)
    .output(administeredUser)
    .query(({ ctx, input }) => administered(ctx, input.uid)),

  changeUser: admin('admin:write')
    .input(changeUserInput)
    // `ended`: what a new password has ended; `toPortal`: whether a separate portal asked.
    .output(changedAccount)
    .mutation(async ({ ctx, input }) => {
      const { user, ended } = await changeUser(ctx, input);
      return {
        ...(await toFullUser(ctx.app, user, false)),
        ...(ended === null ? {} : { ended }),
        toPortal: isFromPortal(ctx),
      };
    }),

  endSecondFactor: admin('admin:write')
    .input(byUid)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => endSecondFactor(ctx, input.uid))),

  activateUser: admin('admin:write')
    .input(byUid)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => activatePending(ctx, input.uid))),

  /** Lets an account in that waits for it, or refuses and deletes it. */
  decideApproval: admin('admin:write')
    .input(byUid.extend({ approved: z.boolean() }))
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => decideApproval(ctx, input))),

  deleteUser: admin('admin:write')
    .input(byUid)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => removeUser(ctx, input.uid))),

  userImages: admin('admin:read')
    .input(ofUserInput)
    .output(z.array(imageRecord))
    .query(({ ctx, input }) => imagesOf(ctx, input)),

  userImagesPage: admin('admin:read')
    .input(pageableInput)
    .output(imagesPageable)
    .query(({ ctx, input }) => pageOfImages(ctx, input)),

  userPastes: admin('admin:read')
    .input(ofUserInput)
    .output(z.array(listedPaste))
    .query(({ ctx, input }) => pastesOf(ctx, input)),

  userUrls: admin('admin:read')
    .input(ofUserInput)
    .output(z.array(shortUrlRecord))
    .query(({ ctx, input }) => urlsOf(ctx, input)),

  images: admin('admin:read')
    .input(imageSearchInput)
    .output(imagePage)
    .query(({ ctx, input }) => allImages(ctx, input)),

  pastes: admin('admin:read')
    .input(searchInput)
    .output(pastePage)
    .query(({ ctx, input }) => allPastes(ctx, input)),

  urls: admin('admin:read')
    .input(urlSearchInput)
    .output(urlPage)
    .query(({ ctx, input }) => allUrls(ctx, input)),

  image: admin('admin:read')
    .input(adminImageInput)
    .output(adminImage)
    .query(({ ctx, input }) => adminImageOf(ctx, input)),

  migrateImage: admin('admin:write')
    .input(z.object({ uniqueId: uniqueIdInput }))
    .output(migratedImage)
    .mutation(({ ctx, input }) => migrateImage(ctx, input.uniqueId)),

  metrics: admin('admin:read')
    .output(systemMetrics)
    .query(({ ctx }) => metricsOf(ctx)),

  retryJobs: admin('admin:write')
    .input(retryInput)
    .output(z.object({ retried: z.int() }))
    .mutation(async ({ ctx, input }) => ({ retried: await retryJobs(ctx, input) })),

  auditLog: admin('admin:read')
    .input(auditInput)
    .output(auditPage)
    .query(({ ctx, input }) => auditLog(ctx, input)),
});

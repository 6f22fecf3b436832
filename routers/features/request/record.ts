import { z } from 'zod';
import { collectionAnywhere } from '../../../db/content/collection/collection-trash.js';
import type { RequestFile } from '../../../db/content/upload/request-file.js';
import { type UploadRequest, WALLS } from '../../../db/content/upload/upload-request.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { patternsOf, typesInWords } from '../../base/text/media-types.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import { needsChallenge } from '../../core/challenge.js';
import type { Context, Services } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { sealRecord, sealShown } from '../../core/items/seal.js';
import { notifyField } from '../../core/telling/input.js';
import { isTaking, leftOf } from './find.js';

/** Where a request is opened. */
const requestUrls = z.object({ webUrl: z.url(), openUrl: z.url(), wallUrl: z.url().nullable() });

/** A request, as its owner sees it. */
export const requestRecord = z.object({
  uniqueId: z.string(),
  title: z.string(),
  note: z.string().nullable(),
  maxFiles: z.int().nullable(),
  maxBytes: z.int().nullable(),
  types: z.array(z.string()),
  expiresAt: z.iso.datetime().nullable(),
  requiresPassword: z.boolean(),
  askName: z.boolean(),
  notify: notifyField,
  blind: z.boolean(),
  closed: z.boolean(),
  /** To whom guests seal what they send; null if it takes any file. */
  recipient: z.string().nullable(),
  wall: z.enum(WALLS),
  message: z.string().nullable(),
  ends: z.iso.datetime().nullable(),
  /** Whether it takes files now. */
  open: z.boolean(),
  /** The collection that receives the files; while it is in the trash they are in the library only. */
  collection: z.string().nullable(),
  /** What has come in. */
  receivedFiles: z.int(),
  receivedBytes: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime().nullable(),
  urlSet: requestUrls,
});
export type RequestRecord = z.output<typeof requestRecord>;

/** A file that came in by a request. */
export const receivedFile = z.object({
  /** The item that it became; null if that was deleted. */
  uniqueId: z.string().nullable(),
  name: z.string(),
  size: z.int(),
  /** The name that the sender gave. */
  sender: z.string().nullable(),
  receivedAt: z.iso.datetime(),
  ...sealRecord,
  /** Whether it was let through to the wall; null if that is not decided. */
  approved: z.boolean().nullable(),
});

/** What a guest may know of what came in. */
const shownFile = receivedFile.pick({ name: true, size: true, receivedAt: true });

/** A request, as guests see it. */
export const openedRequest = z.object({
  uniqueId: z.string(),
  title: z.string(),
  note: z.string().nullable(),
  owner: userSummary,
  requiresPassword: z.boolean(),
  /** Whether the caller has to solve a challenge before files are taken. */
  requiresChallenge: z.boolean(),
  askName: z.boolean(),
  blind: z.boolean(),
  /** To whom the file is sealed before it is sent; null for a request that takes any file. */
  recipient: z.string().nullable(),
  wall: z.enum(WALLS),
  message: z.string().nullable(),
  ends: z.iso.datetime().nullable(),
  types: z.array(z.string()),
  /** The types of files that are accepted for its owner at all, in words, and as a list; null and none for all. */
  accepted: z.string().nullable(),
  acceptedTypes: z.array(z.string()),
  expiresAt: z.iso.datetime().nullable(),
  maxFiles: z.int().nullable(),
  maxBytes: z.int().nullable(),
  /** How many files it still takes, and how many bytes; null for any number. */
  remaining: z.int().nullable(),
  remainingBytes: z.int().nullable(),
  /** The largest file that it takes, in bytes. */
  maxFileBytes: z.int(),
  /** What others sent, unless it is blind or locked; at most the newest 100. */
  received: z.array(shownFile),
});
export type OpenedRequest = z.output<typeof openedRequest>;

/** A file that a guest has sent. */
export const sentFile = z.object({
  name: z.string(),
  size: z.int(),
  /** For an hour, its sender can take it back with this. */
  receipt: z.string(),
});

/** What a guest keeps who sent something. */
export const receipt = z.object({
  received: z.array(sentFile),
  remaining: z.int().nullable(),
  remainingBytes: z.int().nullable(),
});

/** A received file as the API describes it. */
export const toReceived = (file: RequestFile): z.output<typeof receivedFile> => ({
  uniqueId: file.itemId,
  name: file.name,
  size: file.size,
  sender: file.sender,
  receivedAt: iso(file.receivedAt),
  ...sealShown(file.seal),
  approved: file.approved,
});

/** The page of a request. */
export const requestUrl = (app: Services, { uniqueId }: Pick<UploadRequest, 'uniqueId'>): string =>
  `${app.settings.origin}/web/request/${uniqueId}`;

const wallFieldsOf = ({ wall, message, endsAt }: UploadRequest) => ({
  wall,
  message,
  ends: isoOrNull(endsAt),
});

/** The record for the owner. */
export async function toRequestRecord(app: Services, request: UploadRequest): Promise<RequestRecord> {
  const collection =
    request.collectionId === null ? null : await collectionAnywhere(app.db.read, request.collectionId);
  return {
    uniqueId: request.uniqueId,
    title: request.title,
    note: request.note,
    maxFiles: request.maxFiles,
    maxBytes: request.maxBytes,
    types: [...request.types],
    expiresAt: isoOrNull(request.expiresAt),
    requiresPassword: request.passwordHash !== null,
    askName: request.askName,
    notify: request.notify,
    blind: request.blind,
    closed: request.closed,
    recipient: request.recipient,
    ...wallFieldsOf(request),
    open: isTaking(request),
    collection: collection?.uniqueId ?? null,
    receivedFiles: request.files,
    receivedBytes: request.bytes,
    createdAt: iso(request.createdAt),
    updatedAt: isoOrNull(request.updatedAt),
    urlSet: {
      webUrl: requestUrl(app, request),
      openUrl: `${app.settings.baseUrl}/request/open/${request.uniqueId}`,
      wallUrl: request.wall === 'none' ? null : `${requestUrl(app, request)}/wall`,
    },
  };
}

/** What a request still takes, under the names that guests get. */
export const remainingOf = (request: UploadRequest) => {
  const left = leftOf(request);
  return { remaining: left.files, remainingBytes: left.bytes };
};

/** Whether guests learn nothing of what others sent. */
export const isBlind = ({ blind, wall }: UploadRequest): boolean =>
  wall === 'none' ? blind : wall !== 'all';

/** What guests see; `received` only for those who are let in. */
export async function toOpenedRequest(
  ctx: Context,
  request: UploadRequest,
  received: readonly RequestFile[],
): Promise<OpenedRequest> {
  const { app } = ctx;
  const left = leftOf(request);
  const { types } = await entryRulesOf(app, request.ownerId);
  return {
    uniqueId: request.uniqueId,
    title: request.title,
    note: request.note,
    owner: await summaryOf(app, request.ownerId),
    requiresPassword: request.passwordHash !== null,
    requiresChallenge: await needsChallenge(ctx, 'requests'),
    askName: request.askName,
    blind: isBlind(request),
    recipient: request.recipient,
    ...wallFieldsOf(request),
    types: [...request.types],
    accepted: typesInWords(types),
    acceptedTypes: patternsOf(types),
    expiresAt: isoOrNull(request.expiresAt),
    maxFiles: request.maxFiles,
    maxBytes: request.maxBytes,
    ...remainingOf(request),
    maxFileBytes: Math.min(app.settings.maxUploadBytes, left.bytes ?? Number.POSITIVE_INFINITY),
    received: received.map(({ name, size, receivedAt }) => ({ name, size, receivedAt: iso(receivedAt) })),
  };
}

import { z } from 'zod';
import { serviceStatus } from '../../routers/app/site.js';
import { embedSettings } from '../../routers/base/embed-settings.js';
import { fullUser, publicUser } from '../../routers/core/accounts/record.js';
import { userSummary } from '../../routers/core/accounts/user-summary.js';
import { urlSet } from '../../routers/core/items/links.js';
import { shareLinkRecord } from '../../routers/core/sharing/links.js';
import { languageSettings } from '../../routers/features/account/language.js';
import { urlSettings } from '../../routers/features/account/settings.js';
import { uploaderRecord } from '../../routers/features/account/uploaders.js';
import { listedUser } from '../../routers/features/admin/accounts.js';
import { listedPaste } from '../../routers/features/admin/content.js';
import { inviteRecord } from '../../routers/features/admin/invites.js';
import { auditEntry, systemMetrics } from '../../routers/features/admin/system.js';
import { endedAccess } from '../../routers/features/auth/ending.js';
import { namedKeyRecord, newKeyRecord } from '../../routers/features/auth/named-keys.js';
import {
  newSecondFactor,
  recoveryCodes,
  secondFactorState,
} from '../../routers/features/auth/second-factor.js';
import { sessionRecord } from '../../routers/features/auth/session.js';
import { chatConnection } from '../../routers/features/chatapp/record.js';
import { listedImage } from '../../routers/features/collection/files.js';
import {
  collectionFile,
  collectionRecord,
  listedCollection,
  openedCollection,
} from '../../routers/features/collection/record.js';
import { imageRecord } from '../../routers/features/image/record.js';
import { mediaSettings } from '../../routers/features/image/settings.js';
import { knownFile } from '../../routers/features/image/upload/known.js';
import { uploadAddress } from '../../routers/features/image/upload/reserve.js';
import { shortUrlRecord, visitRecord } from '../../routers/features/link/record.js';
import { liveRecord } from '../../routers/features/live/index.js';
import { mailboxRecord, mailRecord } from '../../routers/features/mail/record.js';
import { invitation, messengerConnection } from '../../routers/features/messenger/index.js';
import { listedPack, packFile, packRecord } from '../../routers/features/pack/record.js';
import { pasteRecord } from '../../routers/features/paste/record.js';
import { listedPlaylist, playlistRecord } from '../../routers/features/playlist/record.js';
import { skippedFile } from '../../routers/features/playlist/upload.js';
import {
  openedRequest,
  receipt,
  receivedFile,
  requestRecord,
} from '../../routers/features/request/record.js';
import { dayEntry } from '../../routers/features/stats/days.js';
import { exportedViews, itemStats } from '../../routers/features/stats/item.js';
import { openedStats } from '../../routers/features/stats/opened.js';
import { exportedDay, ownStats } from '../../routers/features/stats/own.js';
import { kindStats, siteStats } from '../../routers/features/stats/site.js';
import { deliveryRecord } from '../../routers/features/webhook/index.js';
import { imageForAdministrators } from '../routes/admin/admin-items.js';
import { imageDetails } from '../routes/image.js';

/** The records of the API under the names that generated clients give to their types. */
const RECORDS: Readonly<Record<string, z.ZodType>> = {
  Image: imageRecord,
  ImageInPlaylist: listedImage,
  ImageDetails: imageDetails,
  ImageForAdministrators: imageForAdministrators,
  KnownFile: knownFile,
  UploadAddress: uploadAddress,
  MediaSettings: mediaSettings,
  Paste: pasteRecord,
  PasteInList: listedPaste,
  Link: shortUrlRecord,
  Visit: visitRecord,
  UrlSet: urlSet,
  Playlist: playlistRecord,
  PlaylistInList: listedPlaylist,
  Collection: collectionRecord,
  CollectionInList: listedCollection,
  OpenedCollection: openedCollection,
  FileInCollection: collectionFile,
  ShareLink: shareLinkRecord,
  FilePack: packRecord,
  FilePackInList: listedPack,
  FileInPack: packFile,
  UploadRequest: requestRecord,
  OpenedUploadRequest: openedRequest,
  ReceivedFile: receivedFile,
  Receipt: receipt,
  SkippedFile: skippedFile,
  Account: fullUser,
  PublicAccount: publicUser,
  AccountInList: listedUser,
  EndedAccess: endedAccess,
  AccountSummary: userSummary,
  Socials: fullUser.shape.socials,
  UrlSettings: urlSettings,
  LanguageSettings: languageSettings,
  EmbedSettings: embedSettings,
  Uploader: uploaderRecord,
  Session: sessionRecord,
  ApiKey: namedKeyRecord,
  NewApiKey: newKeyRecord,
  SecondFactor: secondFactorState,
  NewSecondFactor: newSecondFactor,
  RecoveryCodes: recoveryCodes,
  Invite: inviteRecord,
  AuditEntry: auditEntry,
  SystemMetrics: systemMetrics,
  LivePage: liveRecord,
  Mailbox: mailboxRecord,
  Mail: mailRecord,
  ChatConnection: chatConnection,
  MessengerConnection: messengerConnection,
  MessengerInvitation: invitation,
  WebhookDelivery: deliveryRecord,
  DayCount: dayEntry,
  OwnStatistics: ownStats,
  SiteStatistics: siteStats,
  KindStatistics: kindStats,
  LinkStatistics: itemStats,
  OpenedStatistics: openedStats,
  ExportedViews: exportedViews,
  ExportedDay: exportedDay,
  ServiceStatus: serviceStatus,
};

let named = false;

/** Lets the generator describe each record once, as a component that its operations refer to. */
export function nameRecords(): void {
  if (named) return;
  named = true;
  for (const [id, schema] of Object.entries(RECORDS)) z.globalRegistry.add(schema, { id });
}

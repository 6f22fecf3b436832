import { z } from 'zod';
import { languageSettings } from '../../routers/account/language.js';
import { fullUser, publicUser } from '../../routers/account/record.js';
import { urlSettings } from '../../routers/account/settings.js';
import { uploaderRecord } from '../../routers/account/uploaders.js';
import { listedUser } from '../../routers/admin/accounts.js';
import { listedPaste } from '../../routers/admin/content.js';
import { inviteRecord } from '../../routers/admin/invites.js';
import { auditEntry, systemMetrics } from '../../routers/admin/system.js';
import { endedAccess } from '../../routers/auth/ending.js';
import { namedKeyRecord, newKeyRecord } from '../../routers/auth/named-keys.js';
import { newSecondFactor, recoveryCodes, secondFactorState } from '../../routers/auth/second-factor.js';
import { sessionRecord } from '../../routers/auth/session.js';
import { chatConnection } from '../../routers/chatapp/record.js';
import { shareLinkRecord } from '../../routers/collection/links.js';
import {
  collectionFile,
  collectionRecord,
  listedCollection,
  listedImage,
  openedCollection,
} from '../../routers/collection/record.js';
import { knownFile } from '../../routers/image/known.js';
import { imageRecord } from '../../routers/image/record.js';
import { uploadAddress } from '../../routers/image/reserve.js';
import { mediaSettings } from '../../routers/image/settings.js';
import { shortUrlRecord, visitRecord } from '../../routers/link/record.js';
import { liveRecord } from '../../routers/live/index.js';
import { mailboxRecord, mailRecord } from '../../routers/mail/record.js';
import { invitation, messengerConnection } from '../../routers/messenger/index.js';
import { listedPack, packFile, packRecord } from '../../routers/pack/record.js';
import { pasteRecord } from '../../routers/paste/record.js';
import { listedPlaylist, playlistRecord } from '../../routers/playlist/record.js';
import { skippedFile } from '../../routers/playlist/upload.js';
import { openedRequest, receipt, receivedFile, requestRecord } from '../../routers/request/record.js';
import { embedSettings } from '../../routers/shared/embed-settings.js';
import { urlSet } from '../../routers/shared/links.js';
import { userSummary } from '../../routers/shared/user-summary.js';
import { serviceStatus } from '../../routers/site.js';
import { dayEntry } from '../../routers/stats/days.js';
import { exportedViews, itemStats } from '../../routers/stats/item.js';
import { openedStats } from '../../routers/stats/opened.js';
import { exportedDay, ownStats } from '../../routers/stats/own.js';
import { kindStats, siteStats } from '../../routers/stats/site.js';
import { deliveryRecord } from '../../routers/webhook/index.js';
import { imageForAdministrators } from '../routes/admin-items.js';
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

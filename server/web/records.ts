/**
 * The records that pages show (contract §3): the procedures' own types where they exist, otherwise as in the
 * contract.
 */
import type { z } from 'zod';
import type { monthRecord } from '../../routers/app/library/index.js';
import type { OwnItemRecord } from '../../routers/app/library/own-item.js';
import type { tagRecord } from '../../routers/app/library/tags.js';
import type { trashedRecord } from '../../routers/app/trash/record.js';
import type { siteEntryRules } from '../../routers/core/entry/entry-rules.js';
import type { shareLinkRecord } from '../../routers/core/sharing/links.js';
import type { urlSettings } from '../../routers/features/account/settings.js';
import type { uploaderRecord } from '../../routers/features/account/uploaders.js';
import type { administeredUser } from '../../routers/features/admin/accounts.js';
import type { secondFactorState } from '../../routers/features/auth/second-factor.js';
import type { sessionRecord } from '../../routers/features/auth/session.js';
import type { memberRecord } from '../../routers/features/collection/members/members.js';
import type { sharedCollection } from '../../routers/features/collection/members/procedures.js';
import type { mediaSettings } from '../../routers/features/image/settings.js';
import type { rolePolicy, UserPolicy } from '../../routers/features/limits/records.js';
import type { importResult } from '../../routers/features/link/import.js';
import type { visitRecord } from '../../routers/features/link/record.js';
import type { presetRecord } from '../../routers/features/link/utm.js';
import type { RulesRecord } from '../../routers/features/mail/rules.js';
import type { blockRecord } from '../../routers/features/moderation/blocks.js';
import type { identityRecord } from '../../routers/features/oidc/identities.js';
import type { revisionRecord } from '../../routers/features/paste/revisions.js';
import type { sentFile } from '../../routers/features/request/record.js';
import type { wallFile, wallPage } from '../../routers/features/request/wall.js';
import type { linksStats } from '../../routers/features/stats/links.js';
import type { openedStats } from '../../routers/features/stats/opened.js';
import type { stoppable } from '../../routers/features/telling/index.js';

export type AdministeredUser = z.output<typeof administeredUser>;
export type { FullUser } from '../../routers/core/accounts/record.js';
export type { WebhookSettings } from '../../routers/features/account/webhook.js';
export type { InviteRecord } from '../../routers/features/admin/invites.js';
export type { NamedKeyRecord } from '../../routers/features/auth/named-keys.js';
export type { ListedImage } from '../../routers/features/collection/files.js';
export type {
  CollectionFile,
  CollectionRecord,
  OpenedCollection,
} from '../../routers/features/collection/record.js';
export type { AdminDomainRecord, DomainRecord } from '../../routers/features/domain/record.js';
export type { ImageRecord } from '../../routers/features/image/record.js';
export type { UserPolicy } from '../../routers/features/limits/records.js';
export type { LinkRecord as ShortUrlRecord } from '../../routers/features/link/record.js';
export type MemberRecord = z.output<typeof memberRecord>;
export type SharedCollection = z.output<typeof sharedCollection>;
export type CheckedImport = z.output<typeof importResult>;
export type { Role } from '../../routers/base/roles.js';
export type { UserSummary } from '../../routers/core/accounts/user-summary.js';
export type { ChallengeTask } from '../../routers/core/challenge.js';
export type { UrlSet } from '../../routers/core/items/links.js';
export type { ForwardRecord } from '../../routers/features/mail/forward.js';
export type { MailboxRecord, MessageRecord } from '../../routers/features/mail/record.js';
export type { SentRecord } from '../../routers/features/mail/sendings.js';
export type { ReportRecord } from '../../routers/features/moderation/report-record.js';
export type { PasskeyRecord } from '../../routers/features/passkey/record.js';
export type { PasteRecord } from '../../routers/features/paste/record.js';
export type { OpenedRequest, RequestRecord } from '../../routers/features/request/record.js';

/** What a mailbox does with mail that fits. */
export type MailRule = RulesRecord['rules'][number];

/** Campaign parameters under a name. */
export type PresetRecord = z.output<typeof presetRecord>;

/** The visits of many links together. */
export type LinkSums = z.output<typeof linksStats>;

/** How often everything that the viewer has was opened. */
export type OpenedStats = z.output<typeof openedStats>;

/** What the viewer may create, and what of it is used. */
export type OwnLimits = Pick<UserPolicy, 'effective' | 'usage' | 'paused' | 'pausedUntil'> & {
  readonly filePackLimits: UserPolicy['effectiveFilePackLimits'];
};

/** What accounts of a role may create. */
export type RolePolicy = z.output<typeof rolePolicy>;

/** Which files are accepted from everybody, and how long items live. */
export type SiteEntryRules = z.output<typeof siteEntryRules>;

/** A blocked content or network. */
export type BlockRecord = z.output<typeof blockRecord>;

/** An item of any kind of the viewer, and a tag. */
export type OwnItem = OwnItemRecord;
export type Month = z.output<typeof monthRecord>;
export type OwnTag = z.output<typeof tagRecord>;

/** An item in the trash. */
export type TrashedItem = z.output<typeof trashedRecord>;

/** What a paste was. */
export type PasteRevision = z.output<typeof revisionRecord>;

/** One visit of a short link. */
export type VisitLog = z.output<typeof visitRecord>;

/** What the link of a mail ends. */
export type Stoppable = z.output<typeof stoppable>;

/** A share link of an item or collection. */
export type ShareLinkRecord = z.output<typeof shareLinkRecord>;

/** URL settings of an account. */
export type UrlSettings = z.output<typeof urlSettings>;

/** Settings for uploaded media of an account. */
export type MediaSettings = z.output<typeof mediaSettings>;

/** A ready-made configuration for an upload tool. */
export type UploaderRecord = z.output<typeof uploaderRecord>;

/** Whether an account uses two-step sign-in. */
export type SecondFactorState = z.output<typeof secondFactorState>;

/** An identity at a provider that can sign in. */
export type IdentityRecord = z.output<typeof identityRecord>;

/** A signed-in browser or client. */
export type SessionRecord = z.output<typeof sessionRecord>;

/** Items per UTC day; `first` is the day, `second` the count. */
export interface DayCount {
  readonly first: string;
  readonly second: number;
}

/** One page of a longer list; pages are counted from 0. */
export interface Paged<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  /** There may be more than `total`. */
  readonly isCapped?: true | undefined;
}

/** A file that a guest has sent, with what takes it back. */
export type SentFile = z.output<typeof sentFile>;

/** What a wall shows, and an entry of it. */
export type WallRecord = z.output<typeof wallPage>;
export type WallFile = z.output<typeof wallFile>;

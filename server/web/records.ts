/**
 * The records that pages show (contract §3): the procedures' own types where they exist, otherwise as in the
 * contract.
 */
import type { z } from 'zod';
import type { urlSettings } from '../../routers/account/settings.js';
import type { uploaderRecord } from '../../routers/account/uploaders.js';
import type { secondFactorState } from '../../routers/auth/second-factor.js';
import type { sessionRecord } from '../../routers/auth/session.js';
import type { shareLinkRecord } from '../../routers/collection/links.js';
import type { mediaSettings } from '../../routers/image/settings.js';
import type { OwnItemRecord } from '../../routers/library/own-item.js';
import type { tagRecord } from '../../routers/library/tags.js';
import type { siteEntryRules } from '../../routers/limits/entry-rules.js';
import type { rolePolicy, UserPolicy } from '../../routers/limits/records.js';
import type { importResult } from '../../routers/link/import.js';
import type { visitRecord } from '../../routers/link/record.js';
import type { identityRecord } from '../../routers/oidc/identities.js';
import type { blockRecord } from '../../routers/order/blocks.js';
import type { revisionRecord } from '../../routers/paste/revisions.js';
import type { openedStats } from '../../routers/stats/opened.js';
import type { trashedRecord } from '../../routers/trash/record.js';

export type { FullUser } from '../../routers/account/record.js';
export type { WebhookSettings } from '../../routers/account/webhook.js';
export type { InviteRecord } from '../../routers/admin/invites.js';
export type { NamedKeyRecord } from '../../routers/auth/named-keys.js';
export type {
  CollectionFile,
  CollectionRecord,
  ListedImage,
  OpenedCollection,
} from '../../routers/collection/record.js';
export type { ImageRecord } from '../../routers/image/record.js';
export type { UserPolicy } from '../../routers/limits/records.js';
export type { LinkRecord as ShortUrlRecord } from '../../routers/link/record.js';
export type CheckedImport = z.output<typeof importResult>;
export type { ForwardRecord } from '../../routers/mail/forward.js';
export type { MailboxRecord, MessageRecord } from '../../routers/mail/record.js';
export type { SentRecord } from '../../routers/mail/sendings.js';
export type { ReportRecord } from '../../routers/order/report-record.js';
export type { PasskeyRecord } from '../../routers/passkey/record.js';
export type { PasteRecord } from '../../routers/paste/record.js';
export type { PlaylistRecord } from '../../routers/playlist/record.js';
export type { OpenedRequest, RequestRecord } from '../../routers/request/record.js';
export type { Role } from '../../routers/roles.js';
export type { ChallengeTask } from '../../routers/shared/challenge.js';
export type { UrlSet } from '../../routers/shared/links.js';
export type { UserSummary } from '../../routers/shared/user-summary.js';

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
export type OwnTag = z.output<typeof tagRecord>;

/** An item in the trash. */
export type TrashedItem = z.output<typeof trashedRecord>;

/** What a paste was. */
export type PasteRevision = z.output<typeof revisionRecord>;

/** One visit of a short link. */
export type VisitLog = z.output<typeof visitRecord>;

/** A share link of a collection. */
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

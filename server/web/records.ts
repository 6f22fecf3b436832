/**
 * The records that pages show (contract §3): the procedures' own types where they exist, otherwise as in the
 * contract.
 */
import type { z } from 'zod';
import type { urlSettings } from '../../routers/account/settings.js';
import type { uploaderRecord } from '../../routers/account/uploaders.js';
import type { secondFactorState } from '../../routers/auth/second-factor.js';
import type { sessionRecord } from '../../routers/auth/session.js';
import type { mediaSettings } from '../../routers/image/settings.js';
import type { visitRecord } from '../../routers/link/record.js';

export type { FullUser } from '../../routers/account/record.js';
export type { WebhookSettings } from '../../routers/account/webhook.js';
export type { InviteRecord } from '../../routers/admin/invites.js';
export type { ImageRecord } from '../../routers/image/record.js';
export type { LinkRecord as ShortUrlRecord } from '../../routers/link/record.js';
export type { MailboxRecord, MessageRecord } from '../../routers/mail/record.js';
export type { PasteRecord } from '../../routers/paste/record.js';
export type { ListedImage, PlaylistRecord } from '../../routers/playlist/record.js';
export type { Role } from '../../routers/roles.js';
export type { UrlSet } from '../../routers/shared/links.js';
export type { UserSummary } from '../../routers/shared/user-summary.js';

/** One visit of a short link. */
export type VisitLog = z.output<typeof visitRecord>;

/** URL settings of an account. */
export type UrlSettings = z.output<typeof urlSettings>;

/** Settings for uploaded media of an account. */
export type MediaSettings = z.output<typeof mediaSettings>;

/** A ready-made configuration for an upload tool. */
export type UploaderRecord = z.output<typeof uploaderRecord>;

/** Whether an account uses two-step sign-in. */
export type SecondFactorState = z.output<typeof secondFactorState>;

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
}

/** The records that pages show (contract §3): the procedures' own where there are such, else as the contract says. */
import type { z } from 'zod';
import type { EmbedSettings } from '../../routers/embed.js';
import type { ImageRecord } from '../../routers/image/record.js';
import type { UserSummary } from '../../routers/people.js';
import type { visitRecord } from '../../routers/url/record.js';

export type { ImageRecord } from '../../routers/image/record.js';
export type { UrlSet } from '../../routers/links.js';
export type { PasteRecord } from '../../routers/paste/record.js';
export type { UserSummary } from '../../routers/people.js';
export type { Role } from '../../routers/roles.js';
export type { ShortUrlRecord as LinkRecord } from '../../routers/url/record.js';
export type { FullUser } from '../../routers/user/record.js';

/** Webhook settings: the look of embeds, and the outgoing webhook. The secret is never read back. */
export interface WebhookSettings extends EmbedSettings {
  readonly url: string | null;
  readonly format: 'discord' | 'slack' | 'json';
  readonly events: readonly string[];
}

/** One visit of a short link, and whether a program made it. */
export type VisitLog = z.output<typeof visitRecord> & { readonly bot?: boolean };

/** A playlist of images. */
export interface PlaylistRecord {
  readonly uniqueId: string;
  readonly title: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly owner: UserSummary;
  readonly images: readonly ImageRecord[];
}

/** A signed-in browser or client. */
export interface SessionRecord {
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly isCurrent: boolean;
}

/** An invitation. */
export interface InviteRecord {
  readonly code: string;
  readonly used: boolean;
  readonly createdAt: string;
  readonly usedAt: string | null;
  readonly createdBy: UserSummary | null;
  readonly usedBy: UserSummary | null;
}

/** A receiving address. */
export interface MailboxRecord {
  readonly email: string;
  readonly createdAt: string;
  readonly status: 'OPEN' | 'CLOSED' | 'EXPIRED' | 'DELETED' | 'SUSPENDED';
  /** `never` or ISO 8601. */
  readonly expireAt: string;
}

/** A received message. */
export interface MailMessage {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
  readonly html: string | null;
  readonly attachments: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly size: number;
  }[];
}

/** Which address is handed out first for each kind of item. */
export type UrlPreference = 'PORTAL' | 'SHORT' | 'RAW' | null;

/** URL settings of an account. */
export interface UrlSettings {
  readonly image: UrlPreference;
  readonly paste: UrlPreference;
  readonly url: UrlPreference;
}

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

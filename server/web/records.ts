import type { EmbedSettings } from '../../routers/embed.js';

/**
 * The records that pages show, as contract §3 describes them. Pages depend on these shapes alone, so a
 * procedure's output can grow without touching a view.
 */

/** What an account may do; the order of power is the order given here, GUEST only reads. */
export type Role = 'OWNER' | 'ADMIN' | 'MODERATOR' | 'USER' | 'TESTER' | 'GUEST' | 'BANNED' | 'DELETED';

/** A person as everybody may see them. */
export interface UserSummary {
  readonly uid: number;
  readonly username: string;
  readonly role: Role;
  readonly avatar: string;
  readonly createdAt: string;
}

/** Every address of an item; `deletionUrl` only in the answer to its creator. */
export interface UrlSet {
  readonly webUrl: string;
  readonly portalUrl: string;
  readonly rawUrl: string;
  readonly shortUrl: string;
  readonly customUrl: string;
  readonly posterUrl?: string | null;
  readonly userPreference?: string | null;
  readonly deletionUrl?: string | null;
}

/** Webhook settings: the look of embeds, and the outgoing webhook. The secret is never read back. */
export interface WebhookSettings extends EmbedSettings {
  readonly url: string | null;
  readonly format: 'discord' | 'slack' | 'json';
  readonly events: readonly string[];
}

/** An image, video, sound or other file. Fields that the caller may not see are null. */
export interface ImageRecord {
  readonly uniqueId: string;
  readonly type: string;
  readonly description: string | null;
  readonly size: number | null;
  readonly uploadedAt: string;
  readonly expiresAt: string | null;
  readonly urlSet: UrlSet;
  readonly uploader: UserSummary | null;
  readonly requiresPassword: boolean;
  readonly isPublic: boolean;
  readonly webhookSettings: EmbedSettings | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly mimeType: string;
  readonly thumbhash: string | null;
  readonly originalName: string | null;
  readonly views?: number | null;
  readonly maxViews?: number | null;
}

/** A text paste. */
export interface PasteRecord {
  readonly uniqueId: string;
  readonly title: string;
  readonly content: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly urlSet: UrlSet;
  readonly uploader: UserSummary;
  readonly requiresPassword: boolean;
  readonly isPublic: boolean;
  readonly language: string | null;
  readonly burn?: boolean;
}

/** A short link; `originalUrl` is null to those who have not given its password. */
export interface LinkRecord {
  readonly uniqueId: string;
  readonly originalUrl: string | null;
  readonly visits: number;
  /** -1 = unlimited. */
  readonly maxUses: number;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly urlSet: UrlSet;
  readonly uploader: UserSummary;
  readonly requiresPassword?: boolean;
}

/** One visit of a short link. */
export interface VisitLog {
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly time: string;
  readonly bot?: boolean;
}

/** A playlist of images. */
export interface PlaylistRecord {
  readonly uniqueId: string;
  readonly title: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly owner: UserSummary;
  readonly images: readonly ImageRecord[];
}

/** A person as they see themselves, or as administrators see them. */
export interface FullUser extends UserSummary {
  readonly email: string | null;
  readonly invitedBy: UserSummary | null;
  readonly socials: Readonly<Record<string, string | null>>;
  readonly stats: {
    readonly totalUploads: number;
    readonly pastesCreated: number;
    readonly urlsShortened: number;
    /** Bytes. */
    readonly storageUsed: number;
  };
  readonly apiKey?: string | null;
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

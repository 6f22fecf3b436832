import { createHash, randomBytes } from 'node:crypto';

/** The hash under which a secret is stored: SHA-256, hex. Only for secrets of at least 128 random bits. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** A secret of 256 random bits that fits into URLs and cookies. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** An API key: lower-case, 192 random bits. */
export const newApiKey = (): string => randomBytes(24).toString('hex');

/** API keys are compared in lower case, as clients lower-case what is typed. */
export const hashApiKey = (key: string): string => hashSecret(key.trim().toLowerCase());

/** Invite codes are compared in lower case, too. */
export const hashInvite = (code: string): string => hashSecret(code.trim().toLowerCase());

/** An invite code: the prefix and 128 random bits. */
export const newInviteCode = (prefix = ''): string => `${prefix}${randomBytes(16).toString('hex')}`;

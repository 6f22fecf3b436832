import type { Queryable } from '../../../../db/engine/queryable.js';
import { isMailTokenOf, type MailToken, takeMailToken } from '../../../../db/mail/mail-token.js';
import { fail } from '../../../base/errors.js';
import type { InboundMail } from '../../../base/ports/mail/mail.js';
import type { Services } from '../../../core/context.js';
import { hashSecret } from '../../../core/secrets.js';

/** A mail, and the provider's single-use token that it came with. */
interface Signed {
  readonly mail: Pick<InboundMail, 'messageId' | 'recipients'>;
  readonly token?: string | null;
}

/** Longer than signatures are valid, those of repeated calls included. */
const MEMORY_MS = 24 * 60 * 60 * 1000;

const deliveryOf = ({ messageId, recipients }: Signed['mail']): string =>
  hashSecret([messageId, ...[...recipients].sort()].join('\n'));
/** What stands for a token whose mail was refused for now; none has a space. */
const refusedOf = (token: string, mail: Signed['mail']): MailToken => ({
  hash: hashSecret(`refused ${token}`),
  delivery: deliveryOf(mail),
});

/** Uses the token of a signed call; valid for one mail only, however often the provider repeats it. */
export async function useToken(trx: Queryable, { mail, token }: Signed): Promise<void> {
  if (token === undefined || token === null) return;
  const used = await takeToken(trx, { hash: hashSecret(token), delivery: deliveryOf(mail) });
  if (used === 'misused') fail('MAIL_STALE');
}

/** As `takeMailToken`, for now. */
export const takeToken = (trx: Queryable, token: MailToken) => {
  const at = Date.now();
  return takeMailToken(trx, token, at, at - MEMORY_MS);
};

/** Remembers that a signed call was refused for now: its sender may repeat it as it is, for hours. Never fails. */
export async function noteRefused(app: Services, { mail, token }: Signed): Promise<void> {
  if (token !== undefined && token !== null) await app.refusedMails.note(refusedOf(token, mail));
}

/** Refuses with 406 a call that comes too late, unless it came in time and was refused for now. */
export async function requireRefused(app: Services, { mail, token }: Signed): Promise<void> {
  if (token === undefined || token === null) return;
  const refused = refusedOf(token, mail);
  if (app.refusedMails.has(refused)) return;
  if (!(await isMailTokenOf(app.db.read, refused))) fail('MAIL_STALE');
}

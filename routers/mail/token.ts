import type { Db } from '../../db/engine/connect.js';
import type { Queryable } from '../../db/engine/queryable.js';
import { isMailTokenOf, takeMailToken } from '../../db/mail/mail-token.js';
import { hashSecret } from '../auth/secrets.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';
import type { InboundMail } from '../ports/mail.js';

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
const refusedToken = (token: string): string => hashSecret(`refused ${token}`);

/** Uses the token of a signed call; valid for one mail only, however often the provider repeats it. */
export async function useToken(trx: Queryable, { mail, token }: Signed): Promise<void> {
  if (token === undefined || token === null) return;
  if ((await take(trx, hashSecret(token), mail)) === 'misused') fail('MAIL_STALE');
}

const take = (trx: Queryable, hash: string, mail: Signed['mail']) => {
  const at = Date.now();
  return takeMailToken(trx, { hash, delivery: deliveryOf(mail) }, at, at - MEMORY_MS);
};

/** Any more, the oldest are forgotten. */
const MAX_REMEMBERED = 10_000;

/** The deliveries that were refused while the database could not remember them, by what stands for their tokens. */
const refusedHere = new WeakMap<Db, Map<string, string>>();
function refusedIn(db: Db): Map<string, string> {
  const known = refusedHere.get(db) ?? new Map<string, string>();
  refusedHere.set(db, known);
  return known;
}

/**
 * Remembers that a signed call was refused for now: its sender may repeat it as it is, for hours. Never fails: while the
 * database is away, this process remembers it.
 */
export async function noteRefused(app: Services, { mail, token }: Signed): Promise<void> {
  if (token === undefined || token === null) return;
  const hash = refusedToken(token);
  try {
    await app.db.write((trx) => take(trx, hash, mail));
  } catch (error) {
    app.log.warn({ err: error }, 'only this process remembers that a mail was refused for now');
    const known = refusedIn(app.db);
    if (!known.has(hash)) known.set(hash, deliveryOf(mail));
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
  }
}

/** Refuses with 406 a call that comes too late, unless it came in time and was refused for now. */
export async function requireRefused(app: Services, { mail, token }: Signed): Promise<void> {
  if (token === undefined || token === null) return;
  const known = { hash: refusedToken(token), delivery: deliveryOf(mail) };
  if (refusedIn(app.db).get(known.hash) === known.delivery) return;
  if (!(await isMailTokenOf(app.db.read, known))) fail('MAIL_STALE');
}

import { z } from 'zod';
import { userByEmail } from '../../../db/account/account.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { CATCH_ALL } from '../../../db/mail/mail-destination.js';
import {
  freeAddress,
  insertMailbox,
  type Mailbox,
  mailboxesOf,
  updateMailbox,
} from '../../../db/mail/mailbox.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { mailboxTopic } from '../../base/ports/hub.js';
import { isAdmin } from '../../base/roles.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { AccountContext } from '../../core/context.js';
import { randomText } from '../../core/items/ids.js';
import { spend } from '../../core/quotas/spend.js';
import { hashSecret, newSecret } from '../../core/secrets.js';
import type { Settings } from '../../core/settings.js';
import { lockOwn } from './access.js';
import { MAILBOXES } from './bounds.js';
import { setMailboxCookie, tokenFor } from './cookie.js';
import { lifetimeInput } from './lifetime.js';

const GENERATED_LENGTH = 10;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** Names for the operator of a domain (RFC 2142), or names that could be mistaken for them. */
const RESERVED =
  /^(?:abuse|admin|administrator|contact|hostmaster|info|mailer-daemon|no-?reply|postmaster|root|security|ssl-?admin\w*|support|webmaster)$/;

/** An address in a path or a field. */
export const addressInput = z
  .string({ error: 'enter the address of the mailbox' })
  .trim()
  .min(1)
  .max(320)
  .transform((value) => value.toLowerCase());

/** A mailbox, by its address. */
export const byAddress = z.object({ email: addressInput });

/** A mailbox to be created. */
export const createInput = z.object({
  /** The name before the @; generated if "" or absent. */
  name: z
    .string()
    .trim()
    .max(320)
    .nullish()
    .transform((value) => (value ?? '').toLowerCase()),
  /** One of our domains; the first of them if "" or absent. */
  domain: z
    .string()
    .trim()
    .max(255)
    .nullish()
    .transform((value) => (value ?? '').toLowerCase().replace(/^@|\.$/g, '')),
  expiresIn: lifetimeInput,
});

/**
 * Creates a mailbox for the caller and sets its cookie. Fails with 400 for a name that is malformed, reserved or was
 * used before, and for an account with too many mailboxes.
 */
export async function createMailbox(
  ctx: AccountContext,
  input: z.output<typeof createInput>,
): Promise<Mailbox> {
  const { app, account } = ctx;
  const privileged = isAdmin(account.role);
  const { name, domain } = addressOf(input, app.settings, privileged);
  const token = newSecret();
  const createdAt = Date.now();
  const expiresAt = input.expiresIn === null ? null : createdAt + input.expiresIn;
  try {
    const mailbox = await app.db.write(async (trx) => {
      await lockAccount(app, trx, account.id);
      if (!privileged && (await mailboxesOf(trx, account.id)).length >= MAILBOXES) {
        fail('INVALID', localizable('An account can have at most {max} mailboxes', { max: MAILBOXES }));
      }
      const address = `${name}@${domain}`;
      await requireNoAccountAt(trx, address, account.id);
      // A catch-all has no address that anybody could have used elsewhere, and only administrators make one.
      if (name === CATCH_ALL) await freeAddress(trx, address);
      const made = await insertMailbox(trx, {
        address,
        ownerId: account.id,
        createdAt,
        expiresAt,
        tokenHash: hashSecret(token),
      });
      await spend(trx, account.id, 'TEMP_MAIL', { count: 1, bytes: 0 });
      return made;
    });
    setMailboxCookie(ctx, mailbox, token);
    return mailbox;
  } catch (error) {
    if (app.db.dialect.isUniqueViolation(error)) fail('MAILBOX_TAKEN');
    throw error;
  }
}

/** A name that nobody can guess. */
export const randomName = (): string => randomText(ALPHABET, GENERATED_LENGTH);

/** E-mails to the address of an account, such as password resets, are only for that account. */
export async function requireNoAccountAt(
  trx: Queryable,
  address: string,
  exceptFor: number | null,
): Promise<void> {
  const holder = await userByEmail(trx, address);
  if (holder !== null && holder.id !== exceptFor) fail('MAILBOX_TAKEN');
}

/** Changes when a mailbox expires, and its cookie for a caller who has it. */
export async function moveEnd(
  ctx: AccountContext,
  mailbox: Mailbox,
  expiresAt: number | null,
): Promise<Mailbox> {
  const moved = await ctx.app.db.write(async (trx) => {
    await lockOwn(ctx, trx, mailbox.id);
    return updateMailbox(trx, mailbox.id, { expiresAt });
  });
  const token = tokenFor(ctx, mailbox);
  if (token !== null) setMailboxCookie(ctx, { ...mailbox, expiresAt }, token);
  ctx.app.hub.publish(mailboxTopic(mailbox.address), {});
  return found(moved);
}

/** The parts of the wished address: the name may be an address, `*` is everything of a domain that has no mailbox. */
function addressOf(
  wished: Pick<z.output<typeof createInput>, 'name' | 'domain'>,
  { mailDomain, mailDomains, mailSender }: Settings,
  privileged: boolean,
): { readonly name: string; readonly domain: string } {
  const [, local = wished.name, named = ''] = /^([^@]*)@([^@]+)$/.exec(wished.name) ?? [];
  const domain = wished.domain || named.replace(/\.$/, '') || mailDomain;
  if (!mailDomains.includes(domain) || (named !== '' && named.replace(/\.$/, '') !== domain))
    fail(
      'INVALID',
      localizable('Mailboxes can have these domains: {domains}', { domains: mailDomains.join(', ') }),
    );
  if (local === '') return { name: randomName(), domain };
  if (local === CATCH_ALL) {
    if (!privileged) fail('FORBIDDEN', 'Only administrators may create a mailbox for a whole domain');
    return { name: local, domain };
  }
  // Whoever had this one would get the tagged mail of the mailbox before the tag.
  if (local.includes('+'))
    fail('INVALID', 'A mailbox name has no +: mail to name+tag@ arrives in the mailbox name@');
  if (!/^[a-z0-9](?:[a-z0-9_-]|\.(?!\.|$)){0,62}$/.test(local)) {
    fail('INVALID', 'A mailbox name has 1 to 63 letters, digits, dots, hyphens and underscores');
  }
  // Bounces go to the sender address and quote the e-mails.
  if (!privileged && (RESERVED.test(local) || `${local}@${domain}` === mailSender)) fail('MAILBOX_TAKEN');
  return { name: local, domain };
}

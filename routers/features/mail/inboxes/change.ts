import { z } from 'zod';
import { mailsToChange, markMails, type PlacedMail } from '../../../../db/mail/mail-search.js';
import type { Context } from '../../../core/context.js';
import { seeking } from '../../../core/search.js';
import { BATCH, removeRows } from '../remove.js';
import { type Seen, searcherOf, searchField } from './find.js';
import { parseSearch } from './search.js';

const MAX_IDS = 1_000;

/** The mails that are to be changed: those with these ids that fit a search; without either, all. */
export const changeInput = z.object({
  ids: z.array(z.int().min(0)).max(MAX_IDS).nullish(),
  search: searchField,
});

/** Marks or removes mails of these mailboxes, a batch in each transaction; those that are there when it begins. */
export async function changeMails(
  ctx: Context,
  seen: Seen,
  { ids, search }: z.output<typeof changeInput>,
  how: { readonly read: boolean } | 'remove',
): Promise<void> {
  const { db } = ctx.app;
  const wanted = parseSearch(search ?? '');
  const text = wanted.terms.map((term) => term.text).join(' ');
  const boxes = seen.map(({ id }) => id);
  const only = ids === undefined || ids === null || ids.length === 0 ? null : ids;
  let below: number | null = null;
  let found: readonly PlacedMail[];
  do {
    const section = { ids: only, below, limit: BATCH };
    found = await seeking(searcherOf(ctx, seen), text, (matches) =>
      mailsToChange(db, boxes, wanted, section, matches),
    );
    for (const [mailboxId, rows] of byMailbox(found))
      await (how === 'remove'
        ? removeRows(ctx, { id: mailboxId }, rows)
        : db.write((trx) => markMails(db, trx, mailboxId, rows, !how.read)));
    below = found.at(-1)?.id ?? null;
  } while (found.length === BATCH);
}

function byMailbox(mails: readonly PlacedMail[]): ReadonlyMap<number, readonly number[]> {
  const rows = new Map<number, number[]>();
  for (const { mailboxId, id } of mails) rows.set(mailboxId, [...(rows.get(mailboxId) ?? []), id]);
  return rows;
}

import { z } from 'zod';
import {
  type Block,
  blockById,
  blockOf,
  countBlocks,
  deleteBlock,
  insertBlock,
  listBlocks,
} from '../../../db/system/block.js';
import { type Network, readNetwork } from '../../base/cidr.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { contentPageInput, windowOf } from '../../base/paging.js';
import { iso } from '../../base/text/dates.js';
import { lockAdmin } from '../../core/accounts/people.js';
import { summaryOrNull, userSummary } from '../../core/accounts/user-summary.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Services } from '../../core/context.js';
import { pageAsked, pageCounts, pageOutput } from '../admin/public.js';

const MAX_BLOCKS = 100_000;

const kind = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['hash', 'network']));
const value = z.string().trim().max(200);

/** What is blocked, or no longer. */
export const blockInput = z.object({ kind, value, note: z.string().trim().max(500).nullish() });
export const unblockInput = z.object({
  id: z.int().min(1).max(0x7fffffff).nullish(),
  kind: kind.nullish(),
  value: value.nullish(),
});
/** The page of a list of blocks. */
export const blocksInput = contentPageInput;

/** Something that may not come in. */
export const blockRecord = z.object({
  id: z.int(),
  kind: z.enum(['hash', 'network']),
  value: z.string(),
  note: z.string().nullable(),
  createdBy: userSummary.nullable(),
  createdAt: z.iso.datetime(),
});
/** A page of blocks. */
export const blockPage = z.object({ content: z.array(blockRecord), ...pageOutput });
type BlockRecord = z.output<typeof blockRecord>;

const toRecord = async (app: Services, block: Block): Promise<BlockRecord> => ({
  id: block.id,
  kind: block.kind,
  value: block.value,
  note: block.note,
  createdBy: await summaryOrNull(app, block.createdBy),
  createdAt: iso(block.createdAt),
});

/** What a block covers, in the one way in which it is written; 400 for what is neither a hash nor a network. */
function covered(what: Block['kind'], text: string): Network {
  if (what === 'network')
    return readNetwork(text) ?? fail('INVALID', 'value: use a network like 192.0.2.0/24 or 2001:db8::/32');
  const hash = text.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) fail('INVALID', 'value: use a SHA-256 of 64 hexadecimal digits');
  return { value: hash, first: hash, last: hash };
}

/** The blocks, newest first. */
export async function blocksPage(
  { app }: AccountContext,
  input: z.output<typeof blocksInput>,
): Promise<z.output<typeof blockPage>> {
  const page = pageAsked(input);
  const { items, total } = await listBlocks(app.db, windowOf(page));
  return {
    content: await Promise.all(items.map((block) => toRecord(app, block))),
    ...pageCounts(page, total),
  };
}

/** Blocks a hash or a network; what is blocked already stays as it is. */
export async function block(ctx: AccountContext, input: z.output<typeof blockInput>): Promise<BlockRecord> {
  const { app, account } = ctx;
  const { value, ...extent } = covered(input.kind, input.value);
  const made = await app.db.write(async (trx) => {
    await lockAdmin(ctx.app, trx, ctx.account.id);
    if ((await countBlocks(trx)) >= MAX_BLOCKS)
      fail('INVALID', localizable('There can be at most {max} blocks', { max: MAX_BLOCKS }));
    const added = await insertBlock(
      trx,
      { kind: input.kind, value, note: input.note || null, createdBy: account.id, createdAt: Date.now() },
      extent,
    );
    if (added === null) return found(await blockOf(trx, input.kind, value));
    await audit(ctx, trx, 'block.created', { info: { kind: input.kind, value } });
    return added;
  });
  return toRecord(app, made);
}

/** Ends a block, named by its id or by what it blocks; 404 if there is none. */
export async function unblock(ctx: AccountContext, input: z.output<typeof unblockInput>): Promise<void> {
  await ctx.app.db.write(async (trx) => {
    await lockAdmin(ctx.app, trx, ctx.account.id);
    const { id, kind, value } = input;
    if (!id && !(kind && value)) fail('INVALID', 'Send the id of the block, or its kind and value');
    const gone = found(
      id
        ? await blockById(trx, id)
        : kind && value
          ? await blockOf(trx, kind, covered(kind, value).value)
          : null,
    );
    if (!(await deleteBlock(trx, gone.id))) fail('NOT_FOUND');
    await audit(ctx, trx, 'block.deleted', { info: { kind: gone.kind, value: gone.value } });
  });
}

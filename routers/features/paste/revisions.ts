import { z } from 'zod';
import type { FoundPaste } from '../../../db/content/paste.js';
import { filesOf } from '../../../db/content/paste-files.js';
import {
  type PasteRevision,
  revisionBefore,
  revisionOf,
  revisionsOf,
  type WholeRevision,
  wholeRevisionOf,
} from '../../../db/content/paste-revision.js';
import { fail, found } from '../../base/errors.js';
import { pageFields, pageOf, toPage, windowOf } from '../../base/paging.js';
import { iso } from '../../base/text/dates.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import type { AccountContext, Services } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { ifMatchInput } from '../../core/items/revision.js';
import { sealRecord, sealShown } from '../../core/items/seal.js';
import { buildAnswer, holdAnswer } from '../../core/large-answer.js';
import { may, requireAllowed } from '../../core/policies.js';
import { changePaste } from './change.js';
import { unifiedDiff } from './diff.js';
import { fileInput, filesRecord, ofFile } from './files.js';
import { growthOf } from './read.js';
import type { PasteRecord } from './record.js';

const number = z.int().min(1).max(0x7fffffff);
const byId = z.object({ uniqueId: uniqueIdInput });

/** The revisions of a paste: a page of them, one, two to compare, one to restore. */
export const revisionsInput = byId.extend(pageFields(25, 100));
const oneInput = byId.extend({ revision: number });
export const revisionInput = oneInput.extend(fileInput);
export const diffInput = byId.extend({ from: number.nullish(), to: number.nullish() });
export const restoreInput = oneInput.extend({ ifMatch: ifMatchInput });

/** What a paste was from one change of its text, title or language to the next (contract §7). */
export const revisionRecord = z.object({
  revision: z.int(),
  createdAt: z.iso.datetime(),
  author: userSummary,
  title: z.string(),
  /** Bytes. */
  size: z.int(),
  language: z.string().nullable(),
  ...sealRecord,
});
/** A page of revisions. */
export const revisionPage = pageOf(revisionRecord);
/** A revision with its text. */
export const wholeRevisionRecord = revisionRecord.extend({
  uniqueId: z.string(),
  content: z.string(),
  files: filesRecord,
});

async function toRecord(app: Services, paste: FoundPaste, revision: PasteRevision) {
  return {
    revision: revision.revision,
    createdAt: iso(revision.createdAt),
    author: await summaryOf(app, revision.authorId),
    title: revision.title ?? paste.uniqueId,
    size: revision.size,
    language: revision.language,
    ...sealShown(revision.seal),
  };
}

/** The paste, for its owner and moderators: nobody else sees what it was. */
async function controlled(ctx: AccountContext, uniqueId: string): Promise<FoundPaste> {
  const paste = found(await ctx.app.load.paste(uniqueId));
  if (!(await may(ctx, 'open', 'paste', paste))) fail('NOT_OWNER');
  return paste;
}

/** A page of the revisions of a paste, newest first. */
export async function listRevisions(ctx: AccountContext, input: z.output<typeof revisionsInput>) {
  const paste = await controlled(ctx, input.uniqueId);
  const list = await revisionsOf(ctx.app.db, paste.id, windowOf(input));
  return toPage(input, list, (revision) => toRecord(ctx.app, paste, revision));
}

/** One revision with its text. */
export async function getRevision(
  ctx: AccountContext,
  input: z.output<typeof revisionInput>,
): Promise<z.output<typeof wholeRevisionRecord>> {
  const paste = await controlled(ctx, input.uniqueId);
  const known = found(await revisionOf(ctx.app.db.read, paste.id, input.revision));
  holdAnswer(ctx, growthOf(known) * known.size);
  const whole = await textOf(ctx, paste, input.revision);
  const files = filesOf(whole);
  const record = {
    uniqueId: paste.uniqueId,
    ...(await toRecord(ctx.app, paste, whole)),
    content: files?.[0]?.text ?? whole.content,
    files,
  };
  return ofFile(record, input.file);
}

/** The text of a revision. What can be read once is read by confirming, by its owner, too. */
async function textOf({ app }: AccountContext, paste: FoundPaste, revision: number): Promise<WholeRevision> {
  if (paste.burn) fail('CONFIRM_BURN');
  return found(await wholeRevisionOf(app.db.read, paste.id, revision));
}

/** The unified diff of two revisions: by default what the last change of the text did. */
export async function diffRevisions(
  ctx: AccountContext,
  input: z.output<typeof diffInput>,
): Promise<{ readonly uniqueId: string; readonly diff: string }> {
  const paste = await controlled(ctx, input.uniqueId);
  const { db } = ctx.app;
  const to = input.to ?? paste.textRevision;
  const from = input.from ?? (await revisionBefore(db.read, paste.id, to)) ?? to;
  const sizes = [from, to].map(async (n) => found(await revisionOf(db.read, paste.id, n)).size);
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const diff = await buildAnswer(ctx, 2 * bytes, async () => {
    const [old, next] = [await textOf(ctx, paste, from), await textOf(ctx, paste, to)];
    return diffOf(old, next);
  });
  return { uniqueId: paste.uniqueId, diff };
}

/** The diffs of all files that differ, one after the other. */
async function diffOf(old: WholeRevision, next: WholeRevision): Promise<string> {
  const [before, after] = [namedTexts(old), namedTexts(next)];
  const diffs: string[] = [];
  const names = new Set([...before.keys(), ...after.keys()]);
  for (const name of names) {
    const side = (texts: ReadonlyMap<string, string>, { revision }: WholeRevision) => ({
      name: texts.has(name) ? name : '/dev/null',
      note: `revision ${revision}`,
      text: texts.get(name) ?? '',
    });
    if (names.size === 1 || before.get(name) !== after.get(name))
      diffs.push(await unifiedDiff(side(before, old), side(after, next)));
  }
  return diffs.join('');
}

/** The texts of a revision by their names; `paste` is that of one without. */
const namedTexts = (revision: WholeRevision): ReadonlyMap<string, string> =>
  new Map(filesOf(revision)?.map(({ name, text }) => [name, text]) ?? [['paste', revision.content]]);

/** Makes a revision the present one again, as a new revision. */
export async function restoreRevision(
  ctx: AccountContext,
  { uniqueId, revision, ifMatch }: z.output<typeof restoreInput>,
): Promise<PasteRecord> {
  const paste = found(await ctx.app.load.paste(uniqueId));
  requireAllowed(ctx.account, 'change', 'paste', paste);
  if (paste.burn) fail('INVALID', 'A paste that can only be read once has no other revisions');
  const old = await textOf(ctx, paste, revision);
  const files = filesOf(old);
  const texts = files === null ? { text: old.content, language: old.language, files } : { files };
  const change =
    old.seal === null ? { title: old.title, ...texts } : { sealedName: old.seal, text: old.content };
  return changePaste(ctx, { uniqueId, newId: null, ifMatch, ...change });
}

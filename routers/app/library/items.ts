import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { imagesByRowId } from '../../../db/content/file/image.js';
import { pictureWordsOf } from '../../../db/content/file/words.js';
import { HEALTH_IS } from '../../../db/content/link/link.js';
import type { OwnItem } from '../../../db/content/own/own-item.js';
import { ownItems } from '../../../db/content/own/own-items.js';
import { tagByName } from '../../../db/content/tag/tag.js';
import { ifGiven } from '../../../db/engine/paging.js';
import { beginningsOf } from '../../../db/search/beginnings.js';
import { snippetOf, snippetsFor } from '../../../db/search/snippet.js';
import { allByKind, KINDS, leadsOn } from '../../base/kinds.js';
import { pageFields, pageOf, toPage, windowOf } from '../../base/paging.js';
import { HEALTHS } from '../../base/ports/target-looks.js';
import { spanFields } from '../../base/text/dates.js';
import type { AccountContext } from '../../core/context.js';
import { readsOwnOfKind } from '../../core/scopes.js';
import { seeking } from '../../core/search.js';
import { toWordBox } from '../../features/image/public.js';
import { type OwnItemRecord, ownItemRecord, toOwnItemRecord } from './own-item.js';

/** Nothing chosen: an empty field of a form. */
const blank = z.literal('').transform(() => null);
const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z
    .string()
    .toLowerCase()
    .pipe(z.union([blank, z.enum(values)]))
    .nullish()
    .transform((value) => value ?? null);

/** Filters, order and page of a list of own items; absent means any. */
export const itemsInput = z.object({
  kind: choice(KINDS),
  tag: z.string().trim().max(100).nullish(),
  search: z.string().trim().max(200, 'a search can have at most 200 characters').nullish(),
  visibility: choice(['public', 'private', 'protected']),
  /** Only what is marked. */
  favourite: z.boolean().nullish(),
  /** Links whose targets were found so. */
  health: choice(HEALTHS),
  /** Whether they are sealed. */
  sealed: z.boolean().nullish(),
  ...spanFields,
  sort: choice(['newest', 'oldest', 'name', 'size', 'views']),
  ...pageFields(25, 100),
});
export const itemsPage = pageOf(ownItemRecord);

/** The caller's own items of every kind in one list. A tag that the caller does not have finds nothing. */
export async function listItems(
  ctx: AccountContext,
  input: z.output<typeof itemsInput>,
): Promise<z.output<typeof itemsPage>> {
  const { app, account } = ctx;
  const tag = input.tag ? await tagByName(app.db.read, account.id, input.tag) : null;
  if (input.tag && tag === null) return toPage(input, { items: [], total: 0 }, never);
  const { kind, health, visibility, sealed = null, from = null, to = null } = input;
  const kinds = (kind === null ? KINDS : [kind]).filter((one) => health === null || leadsOn(one));
  if (kinds.length === 0) return toPage(input, { items: [], total: 0 }, never);
  const list = await seeking(ctx, input.search, (matches) =>
    ownItems(
      app.db,
      account.id,
      {
        ...{ kinds, visibility, sealed, from, to, matches, further: [ifGiven(health, HEALTH_IS)] },
        ...{ tagId: tag?.id ?? null, sort: input.sort ?? 'newest', favourite: input.favourite === true },
      },
      windowOf(input),
    ),
  );
  if (!input.search) return toPage(input, list, (item) => toOwnItemRecord(app, item));
  const snippets = await snippetsOf(ctx, list.items, input.search);
  const boxes = await boxesOf(ctx, list.items, input.search);
  return toPage(input, list, async (item) => ({
    ...(await toOwnItemRecord(app, item)),
    snippet: snippets.get(item) ?? null,
    found: boxes.get(item) ?? null,
  }));
}

/** Characters of a text that are looked through for a snippet. */
const LOOKED_THROUGH = 16_384;

/** What the texts of the caller's own items say around what was found. */
async function snippetsOf(
  { app: { db }, account }: AccountContext,
  items: readonly OwnItem[],
  search: string,
): Promise<ReadonlyMap<OwnItem, OwnItemRecord['snippet']>> {
  // A key that may not read items of a kind, or reads them as a visitor, gets none of their texts.
  const texts = await allByKind((kind) => {
    const ids = readsOwnOfKind(account, kind)
      ? items.filter((item) => item.kind === kind).map(({ id }) => id)
      : [];
    return beginningsOf(db, kind, ids, LOOKED_THROUGH);
  });
  const found = new Map<OwnItem, OwnItemRecord['snippet']>();
  for (const item of items) {
    const text = texts[item.kind].get(item.id);
    const snippet = text ? snippetOf(text, search) : null;
    found.set(item, snippet && { text: snippet.text, marks: snippet.marks.map(([from, to]) => [from, to]) });
    // Others take turns with a page of long texts.
    if (text) await nextTurn();
  }
  return found;
}

/** Words of a picture that are shown as found. */
const MAX_BOXES = 100;
const BOXES_A_TURN = 1_000;

/** Where the words that were found are in the caller's own pictures. */
async function boxesOf(
  { app, account }: AccountContext,
  items: readonly OwnItem[],
  search: string,
): Promise<ReadonlyMap<OwnItem, OwnItemRecord['found']>> {
  const found = new Map<OwnItem, OwnItemRecord['found']>();
  if (app.settings.ocr.length === 0 || !readsOwnOfKind(account, 'image')) return found;
  // Others have no picture.
  const pictures = items.filter(({ thumbhash }) => thumbhash !== null);
  const ids = pictures.map(({ id }) => id);
  const words = await pictureWordsOf(app.db, ids);
  if (words.size === 0) return found;
  const isMeant = snippetsFor(search);
  const sizes = await imagesByRowId(app.db, app.db.read, ids);
  for (const item of pictures) {
    const { width, height } = sizes.find(({ id }) => id === item.id) ?? { width: null, height: null };
    const boxes = [];
    for (const [index, box] of (words.get(item.id)?.boxes() ?? []).entries()) {
      if (boxes.length === MAX_BOXES) break;
      if (isMeant(box[0]) !== null) boxes.push(toWordBox(box));
      // Others take turns with a page of pictures full of words.
      if (index % BOXES_A_TURN === 0) await nextTurn();
    }
    if (boxes.length > 0 && width !== null && height !== null) found.set(item, { width, height, boxes });
  }
  return found;
}

const never = (value: never): never => value;

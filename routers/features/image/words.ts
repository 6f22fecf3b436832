import { type Image, imageById } from '../../../db/content/file/image.js';
import {
  dropWords,
  nextUnread,
  noteWordFill,
  putWords,
  type WordSource,
  wordFill,
} from '../../../db/content/file/words.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { Services } from '../../core/context.js';

/** The documents that are read, by the extension under which they are stored. */
const DOCUMENTS = ['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub'];

/** Larger ones are not fetched from a store for their words, in bytes. */
const MAX_SIZE = 256 * 1024 * 1024;

/** Where the words of a file are read; null for one that has none, and for what is never read. */
function sourceOf({ type, size, seal, maxViews, quarantine }: Image): WordSource | null {
  if (seal !== null || maxViews !== null || quarantine !== null || size > MAX_SIZE) return null;
  return DOCUMENTS.includes(type) ? 'document' : null;
}

/** Has a file read after the transaction that stores it, or that lets it be read. */
export const readLater = (app: Services, trx: Queryable, imageId: number): Promise<void> =>
  app.jobs.add(trx, 'words', { imageId });

/** As `readLater`, for a file that has words. */
export async function readIfAny(app: Services, trx: Queryable, image: Image): Promise<void> {
  if (sourceOf(image) !== null) await readLater(app, trx, image.id);
}

/** Reads a file that may be read from now on, and forgets what was read in one that may not be any more. */
export async function wordsAfter(app: Services, trx: Queryable, before: Image, now: Image): Promise<void> {
  const [was, is] = [sourceOf(before), sourceOf(now)];
  if (was === is) return;
  if (is === null) await dropWords(trx, now.id);
  else await readLater(app, trx, now.id);
}

/** The job `words`: makes a file findable by what it says, for its owner. */
export async function readWords(app: Services, imageId: number): Promise<void> {
  const image = await imageById(app.db.read, imageId);
  const source = image && sourceOf(image);
  if (image === null || source === null) return;
  const words = await app.storage.blobs.lend(image.sha256, (path) =>
    app.media.documentWords(path, image.type),
  );
  // The index of a long text takes PostgreSQL a while.
  if (words !== null) await app.db.writeAtLength((trx) => putWords(app.db, trx, image, { source, words }));
}

const typesOf = (_source: WordSource): readonly string[] => DOCUMENTS;

/**
 * The job `olderWords`: has the next file read that was stored before files were, and notes how far that is. True once none
 * is left.
 */
export async function readOlderWords(
  app: Services,
  source: WordSource,
  read: (imageId: number) => Promise<void>,
): Promise<boolean> {
  const fill = await wordFill(app.db.read, source);
  if (fill === null) return true;
  const { id, lookedAt } = await nextUnread(app.db, typesOf(source), fill);
  if (id !== null) await read(id);
  await app.db.write((trx) => noteWordFill(trx, source, { ...fill, doneId: lookedAt }));
  return false;
}

/** Goes on with older files at the start of the server. */
export async function queueOlderWords(app: Services): Promise<void> {
  if ((await wordFill(app.db.read, 'document')) === null) return;
  await app.db.write((trx) =>
    app.jobs.add(trx, 'olderWords', { source: 'document' }, { uniqueKey: 'olderWords document' }),
  );
  app.jobs.kick();
}

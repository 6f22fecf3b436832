import { type Image, imageById } from '../../../db/content/file/image.js';
import {
  beginWordFill,
  dropWords,
  endPictureWords,
  forgetPictureWords,
  isToBeRead,
  nextUnread,
  noteWordFill,
  putWords,
  type StoredWords,
  type WordSource,
  wordFill,
} from '../../../db/content/file/words.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { Services } from '../../core/context.js';

/** The documents that are read, by the extension under which they are stored. */
const DOCUMENTS = ['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub'];

/** Larger ones are not fetched from a store for their words, in bytes. */
const MAX_SIZE = 256 * 1024 * 1024;

const readsPictures = (app: Services): boolean => app.settings.ocr.length > 0;

/** Where the words of a file are read; null for one that has none, and for what is never read. */
function sourceOf(app: Services, image: Image): WordSource | null {
  const { type, size, seal, maxViews, quarantine, mediaKind } = image;
  if (seal !== null || maxViews !== null || quarantine !== null || size > MAX_SIZE) return null;
  if (mediaKind === 'image') return readsPictures(app) ? 'picture' : null;
  return DOCUMENTS.includes(type) ? 'document' : null;
}

/** Has a file read after the transaction that stores it, or that lets it be read. */
export const readLater = (app: Services, trx: Queryable, imageId: number): Promise<void> =>
  app.jobs.add(trx, 'words', { imageId });

/** As `readLater`, for a file that has words. */
export async function readIfAny(app: Services, trx: Queryable, image: Image): Promise<void> {
  if (sourceOf(app, image) !== null) await readLater(app, trx, image.id);
}

/** Reads a file that may be read from now on, and forgets what was read in one that may not be any more. */
export async function wordsAfter(app: Services, trx: Queryable, before: Image, now: Image): Promise<void> {
  const [was, is] = [sourceOf(app, before), sourceOf(app, now)];
  if (now.maxViews !== null) await dropWords(trx, now.id);
  else if (was !== is && is !== null) await readLater(app, trx, now.id);
}

/** The job `words`: makes a file findable by what it says, for its owner. */
export async function readWords(app: Services, imageId: number): Promise<void> {
  const image = await imageById(app.db.read, imageId);
  const source = image && sourceOf(app, image);
  if (image === null || source === null || !(await isToBeRead(app.db.read, imageId, source))) return;
  const words = await app.storage.blobs.lend(image.sha256, (path) => READERS[source](app, path, image));
  // The index of a long text takes PostgreSQL a while.
  await app.db.writeAtLength((trx) => putWords(app.db, trx, image, words));
}

/** What is read in the bytes of a file. What cannot be read has no words, and is not tried again. */
const READERS: Readonly<
  Record<WordSource, (app: Services, path: string, image: Image) => Promise<StoredWords>>
> = {
  document: async ({ media }, path, { type }) => ({
    source: 'document',
    words: (await media.documentWords(path, type)) ?? '',
    boxes: null,
  }),
  picture: async ({ media, settings }, path) => {
    const read = await media.pictureWords(path, settings.ocr);
    return {
      source: 'picture',
      words: read?.text ?? '',
      boxes: (read?.boxes ?? []).map(({ text, x, y, width, height }) => [text, x, y, width, height] as const),
    };
  },
};

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
  if (fill === null || fill.doneId >= fill.untilId) return true;
  const { id, lookedAt } = await nextUnread(app.db, source, DOCUMENTS, fill);
  if (id !== null) await read(id);
  await app.db.write((trx) => noteWordFill(trx, source, lookedAt));
  return false;
}

/**
 * The job `forgetWords`: forgets words in pictures where they are not read any more; true once none is left. Then what the
 * index has left is dropped, also of pictures that were deleted or replaced before: for that, all of it is written again.
 */
export const forgetWords = (app: Services): Promise<boolean> =>
  app.db.write(async (trx) => {
    const forgotten = await forgetPictureWords(trx);
    if (forgotten === 0) await app.jobs.add(trx, 'dropWords', {}, { uniqueKey: 'dropWords' });
    return forgotten === 0;
  });

/** Has older pictures of an account read that were passed over, or what was read in them forgotten. */
export async function accountReads(app: Services, trx: Queryable, reads: boolean): Promise<void> {
  if (!reads) await app.jobs.add(trx, 'forgetWords', {});
  else if (readsPictures(app)) {
    await beginWordFill(trx, 'picture', { again: true });
    await queueOlder(app, trx, 'picture');
  }
}

const queueOlder = (app: Services, trx: Queryable, source: WordSource): Promise<void> =>
  app.jobs.add(trx, 'olderWords', { source }, { uniqueKey: `olderWords ${source}` });

/**
 * Goes on with older files at the start of the server, and begins or ends with words in pictures as it is set. A picture
 * that another process took, which did not know it yet, is an older one.
 */
export async function readAsSet(app: Services): Promise<void> {
  const reads = readsPictures(app);
  await app.db.write(async (trx) => {
    if (reads) await beginWordFill(trx, 'picture', { again: false });
    else if (await endPictureWords(trx)) await app.jobs.add(trx, 'forgetWords', {});
    for (const source of ['document', 'picture'] as const) {
      const fill = await wordFill(trx, source);
      if (fill !== null && fill.doneId < fill.untilId) await queueOlder(app, trx, source);
    }
  });
  app.jobs.kick();
}

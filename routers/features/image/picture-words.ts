import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import { pictureWordsOf, type StoredBox } from '../../../db/content/file/words.js';
import { accountOf } from '../../core/accounts/people.js';
import type { Services } from '../../core/context.js';

/** A word in a picture, and where it is in the picture as displayed, in pixels. */
export const wordBox = z.object({
  text: z.string(),
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
});

/** The words in a picture. */
export const pictureWords = z.object({ text: z.string(), boxes: z.array(wordBox) });

/** A word as callers see it. */
export const toWordBox = ([text, x, y, width, height]: StoredBox): z.output<typeof wordBox> => ({
  ...{ text, x, y, width, height },
});

/** What was read in a picture; null for what is no picture, or was not read, or if its account does not want that. */
export async function wordsOfPicture(
  app: Services,
  image: Image,
): Promise<z.output<typeof pictureWords> | null> {
  if (app.settings.ocr.length === 0 || image.mediaKind !== 'image') return null;
  if (!(await accountOf(app, image.ownerId)).ocr) return null;
  const found = (await pictureWordsOf(app.db, [image.id])).get(image.id);
  return found === undefined ? null : { text: found.words, boxes: found.boxes().map(toWordBox) };
}

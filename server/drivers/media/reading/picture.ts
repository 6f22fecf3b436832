import type { PictureWords } from '../../../../routers/base/ports/media/media.js';
import { openPicture } from '../workers/picture.js';
import type { TaskRunner } from '../workers/tasks.js';
import { type Band, cutOut, linesIn } from './bands.js';
import { type Grey, type ReadWord, wordsIn } from './recogniser.js';
import { repaired } from './repair.js';

/** Smaller pictures are enlarged twofold: letters of a screen are too small to be told apart. */
const SMALL_PIXELS = 2_000_000;
/** Larger ones are made smaller, which bounds time and memory. */
const MAX_PIXELS = 8_000_000;
const MAX_SIDE = 20_000;
/** A picture without room for a letter. */
const MIN_SIDE = 8;
/** What the model is less sure of is mostly no text. */
const MIN_CONFIDENCE = 30;
const MAX_WORDS = 10_000;
/** By how much of a picture its language is told. */
const SAMPLE = { lines: 2, width: 1_000 };
/** Lines that may be read once more. */
const MAX_MISSED = 200;

/** By what a picture is enlarged for reading. */
function scaleOf(width: number, height: number): number {
  const pixels = width * height;
  const wanted = pixels <= SMALL_PIXELS ? 2 : Math.min(1, Math.sqrt(MAX_PIXELS / pixels));
  return Math.min(wanted, MAX_SIDE / Math.max(width, height));
}

/** The words of a picture with their places in it, upright; in the language of which the model is surest. */
export const pictureWords: TaskRunner<'pictureWords'> = async ({ path, languages }) => {
  const { image, facts } = await openPicture(path, false, true);
  const { width, height } = facts;
  if (width === null || height === null || Math.min(width, height) < MIN_SIDE) return null;
  const scale = scaleOf(width, height);
  const { data, info } = await image
    .flatten({ background: '#fff' })
    .resize({ width: Math.max(1, Math.round(width * scale)), kernel: 'cubic' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = dark({ pixels: single(data, info.channels), width: info.width, height: info.height });
  const lines = linesIn(grey);
  const language = await languageOf(grey, lines, languages);
  const found = await wordsIn(grey, language, 'page');
  const all = [...found, ...(await missedIn(grey, lines, found, language))].slice(0, MAX_WORDS);
  const others = languages.filter((one) => one !== language);
  const words = (await repaired(grey, all, others, (part, other) => wordsIn(part, other, 'block'))).filter(
    ({ text, confidence }) => confidence >= MIN_CONFIDENCE && /[\p{L}\p{N}]/u.test(text),
  );
  return placed(words, info.width / width);
};

const single = (data: Buffer, channels: number): Buffer =>
  channels === 1 ? data : Buffer.from(data.filter((_, index) => index % channels === 0));

/** Light text on a dark ground becomes dark text. */
function dark(grey: Grey): Grey {
  const { pixels } = grey;
  let sum = 0;
  for (const value of pixels) sum += value;
  if (sum >= pixels.length * 128) return grey;
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = 255 - (pixels[at] ?? 0);
  return grey;
}

/**
 * The language of a picture, told by its two lines with the most ink; the first of those that are as likely. Where that is
 * a wrong guess, or where there are several, words of which it is not sure are read by the others later.
 */
async function languageOf(grey: Grey, lines: readonly Band[], languages: readonly string[]): Promise<string> {
  const [first = 'eng'] = languages;
  if (languages.length < 2 || lines.length === 0) return first;
  const most = lines.toSorted((a, b) => b.ink - a.ink).slice(0, SAMPLE.lines);
  const sample = cutOut(grey, most, Math.min(SAMPLE.width, grey.width)).grey;
  let best = { language: first, sure: -1 };
  for (const language of languages) {
    const sure = surenessOf(await wordsIn(sample, language, 'block'));
    if (sure > best.sure) best = { language, sure };
  }
  return best.language;
}

const surenessOf = (words: readonly ReadWord[]): number =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);

/** The words of lines that were not taken for text: how a page is taken apart is a guess, and whole lines may be missing. */
async function missedIn(
  grey: Grey,
  lines: readonly Band[],
  found: readonly ReadWord[],
  language: string,
): Promise<ReadWord[]> {
  const middles = found.map(({ y, height }) => y + height / 2);
  const missed = lines
    .filter(({ top, bottom }) => !middles.some((middle) => middle >= top && middle <= bottom))
    .slice(0, MAX_MISSED);
  if (missed.length === 0) return [];
  const part = cutOut(grey, missed);
  const words = await wordsIn(part.grey, language, 'block');
  return words.map((word) => ({ ...word, line: `missed ${word.line}`, y: part.rowOf(word.y) }));
}

function placed(words: readonly ReadWord[], scale: number): PictureWords {
  let text = '';
  for (const [index, word] of words.entries()) {
    const before = words[index - 1];
    text += `${before === undefined ? '' : before.line === word.line ? ' ' : '\n'}${word.text}`;
  }
  const inPicture = (length: number): number => Math.round(length / scale);
  return {
    text: text.toWellFormed().replaceAll('\0', ''),
    boxes: words.map((word) => ({
      text: word.text.toWellFormed().replaceAll('\0', ''),
      x: inPicture(word.x),
      y: inPicture(word.y),
      width: inPicture(word.width),
      height: inPicture(word.height),
    })),
  };
}

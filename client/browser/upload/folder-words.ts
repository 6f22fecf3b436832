import type { FolderProgress } from '../../src/folder/events.js';
import type { FolderPlan, LeftOut } from '../../src/folder/plan.js';
import { fileSize, tv } from '../values.js';

/** What will happen with the files of a folder, in words; `known` is empty if the user has none of them. */
export function wordsOf({ fresh, known, copies, leftOut }: FolderPlan) {
  const size = fileSize(fresh.reduce((sum, file) => sum + file.size, 0));
  const notSent = [
    ...known.map(({ path }) => tv('{path}: you have it already', { path })),
    ...copies.map(({ path, of }) => tv('{path}: the same as {of}, left out', { path, of })),
    ...leftOut.map(sayLeftOut),
  ];
  return {
    toSend: tv('{n, plural, one {# file} other {# files}} to upload, {size}', { n: fresh.length, size }),
    known: known.length === 0 ? '' : sayKnown(known.length),
    notSent,
    notSentHeading: tv('{n, plural, one {# file will not be sent} other {# files will not be sent}}', {
      n: notSent.length,
    }),
  };
}

const sayKnown = (n: number): string =>
  tv(
    '{n, plural, one {# file that you have already: it joins the collection as it is, without being sent.} other {# files that you have already: they join the collection as they are, without being sent.}}',
    { n },
  );

/** Why a file cannot be sent. */
function sayLeftOut({ path, why }: LeftOut): string {
  if (why === 'empty') return tv('{path}: empty, left out', { path });
  if (why === 'too large') return tv('{path}: too large, left out', { path });
  if (why === 'its path is too long') return tv('{path}: its path is too long, left out', { path });
  return tv('{path}: cannot be read, left out', { path });
}

/** How far the files of a folder are. */
export const wordsOfProgress = ({ sentBytes, totalBytes, doneFiles, totalFiles }: FolderProgress): string =>
  tv('{done, number} of {n, plural, one {# file} other {# files}}, {sent} of {total}', {
    done: doneFiles,
    n: totalFiles,
    sent: fileSize(sentBytes),
    total: fileSize(totalBytes),
  });

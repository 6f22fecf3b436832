import { z } from 'zod';
import { type FileLayout, filesOf, joinFiles, type PasteFile } from '../../../db/content/paste-files.js';
import { fail } from '../../base/errors.js';
import { type Localizable, localizable } from '../../base/language/localizable.js';
import { blankToNull, languageInput, MAX_FILES, readText } from './text.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
const NAME = /^[^/\\\u0000-\u001f\u007f-\u009f]+$/;

/** Whether a text is one name on every system. */
const isName = (name: string): boolean => NAME.test(name) && name !== '.' && name !== '..';

const nameInput = z
  .string()
  .min(1)
  .max(255)
  .transform((name) => name.toWellFormed());

/** What is wrong with the names of files that are stored together, with the name; null for nothing. */
function faultOf(names: readonly string[]): Localizable | null {
  const odd = names.find((name) => !isName(name));
  if (odd !== undefined) return localizable('“{name}” is not the name of a file', { name: odd });
  // Too many names are refused beside this, so that there may be any number of them here.
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  return twice === undefined ? null : localizable('two are called “{name}”', { name: twice });
}

/** The files of a paste as they are sent. */
export const filesInput = z
  .array(z.object({ name: nameInput, text: z.string(), language: languageInput }))
  .min(1)
  .max(MAX_FILES)
  .superRefine((files, ctx) => {
    const fault = faultOf(files.map(({ name }) => name));
    if (fault !== null) ctx.addIssue({ code: 'custom', params: { localizable: fault } });
  })
  .nullish();

/** The files of a paste in its record; `content` is the text of the first. Null for a paste of one text without a name. */
export const filesRecord = z
  .array(z.object({ name: z.string(), text: z.string(), language: z.string().nullable() }))
  .nullable();

/** One of the files by its name, which a reader may ask for. */
export const fileInput = { file: z.string().max(255).nullish() };

/** The text, or the files, that a sender gives for a paste. */
interface Sent {
  readonly text?: string | undefined;
  readonly files?: z.output<typeof filesInput>;
  readonly language?: string | null | undefined;
}

/** What is stored of a text or of files. */
export interface Written extends FileLayout {
  readonly content: string;
  readonly size: number;
  readonly language: string | null;
}

/** Bytes of what is sent. */
export const sentBytes = ({ text = '', files }: Sent): number =>
  [text, ...(files ?? []).map((file) => file.text)].reduce((sum, part) => sum + Buffer.byteLength(part), 0);

/** Refuses what is both a text and files. */
export function requireOne({ text, files }: Sent): void {
  if (text !== undefined && files) fail('INVALID', 'files: send "text" or "files", not both');
}

/** Nothing yet. */
export const UNWRITTEN: Written = { content: '', size: 0, language: null, fileNames: null, fileParts: null };

/**
 * What a paste is after a change, from what it was before: `text` and `language` are those of the first file, and of
 * files that are null only the text of the first stays.
 */
export function writtenAs(before: Written, { text, files, language }: Sent): Written {
  const whole = { name: null, text: before.content, language: before.language };
  const [first = whole, ...others] = files ?? filesOf(before) ?? [];
  const changed = {
    // A file of several may be empty, but not by a body that was left out.
    text: text === undefined ? first.text : readText(text).content,
    language: blankToNull(language === undefined ? first.language : language),
  };
  if (first.name === null || files === null)
    return { language: changed.language, fileNames: null, fileParts: null, ...readText(changed.text) };
  return withFiles([{ ...changed, name: first.name }, ...others]);
}

/** Several files as they are stored; one may be empty as long as not all are. */
function withFiles(files: z.output<typeof filesInput> & object): Written {
  readText(files.map(({ text }) => text).join(''));
  const sound = files.map(({ name, text, language }) => ({
    ...{ name, text: text.toWellFormed() },
    language: blankToNull(language),
  }));
  const { content, ...layout } = joinFiles(sound);
  return { content, size: Buffer.byteLength(content), language: sound[0]?.language ?? null, ...layout };
}

/** Each text of a paste. */
export const textsIn = (paste: Partial<FileLayout> & { readonly content: string }): string[] =>
  filesOf(paste)?.map(({ text }) => text) ?? [paste.content];

/** A record whose `content` is the text of the file that a reader asks for; 404 for one that it does not have. */
export function ofFile<T extends { readonly content: string; readonly files: readonly PasteFile[] | null }>(
  record: T,
  name: string | null | undefined,
): T {
  if (name === null || name === undefined) return record;
  const file = record.files?.find((known) => known.name === name);
  return file === undefined ? fail('NOT_FOUND') : { ...record, content: file.text };
}

/** One of the texts of a paste that has names for them. */
export interface PasteFile {
  readonly name: string;
  readonly text: string;
  readonly language: string | null;
}

/**
 * Where the texts of several files are in one: `fileNames` has a name a line, `fileParts` is a JSON list of language and
 * length in UTF-16 units. Both are null for a paste of one text without a name.
 */
export interface FileLayout {
  readonly fileNames: string | null;
  readonly fileParts: string | null;
}

/** Between two files, so that no word is made of two. */
const BETWEEN = '\n';

/** The text that is stored and searched for several files, and where each is in it. */
export const joinFiles = (
  files: readonly PasteFile[],
): { readonly content: string; readonly fileNames: string; readonly fileParts: string } => ({
  content: files.map(({ text }) => text).join(BETWEEN),
  fileNames: files.map(({ name }) => name).join('\n'),
  fileParts: JSON.stringify(files.map(({ language, text }) => [language, text.length])),
});

/** The files of a paste, with empty texts if its text was not read; null for one without names. */
export function filesOf({
  content,
  fileNames = null,
  fileParts = null,
}: Partial<FileLayout> & { readonly content: string }): PasteFile[] | null {
  if (fileNames === null || fileParts === null) return null;
  const parts = JSON.parse(fileParts) as [language: string | null, length: number][];
  let start = 0;
  return fileNames.split('\n').map((name, index) => {
    const [language, length] = parts[index] ?? [null, 0];
    const text = content.slice(start, start + length);
    start += length + BETWEEN.length;
    return { name, text, language };
  });
}

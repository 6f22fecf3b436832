import { MAX_FOLDER_FILES, TooManyFiles } from '../../src/folder/task.js';
import { t } from '../speech.js';
import { fileSize, tv } from '../values.js';
import { Refused } from './transfer.js';

/** What is shown for a refused upload: a text, and the field to correct if there is one. */
export interface Said {
  readonly text: string;
  readonly field: HTMLElement | null;
  /** Whether signing in would help. */
  readonly signIn: boolean;
}

/** API fields that have another name in this form. */
const asked: Readonly<Record<string, string>> = { expiresAt: 'expiresIn' };

/** Explains why a file was not uploaded, with the labels of the form and readable sizes. */
export function sayRefusal(error: unknown, form: HTMLFormElement): Said {
  const plain = (text: string): Said => ({ text, field: null, signIn: false });
  if (error instanceof TooManyFiles)
    return plain(
      tv('A folder can have at most {max, number} files: choose the folders in it one by one', {
        max: MAX_FOLDER_FILES,
      }),
    );
  if (!(error instanceof Refused))
    return plain(error instanceof Error ? error.message : t('This did not work'));
  if (error.status === 401) {
    const key = form.querySelector<HTMLInputElement>('[name="key"]');
    return key !== null && key.value !== ''
      ? { text: t('This API key is unknown, or no longer valid'), field: key, signIn: false }
      : { text: t('Sign in in a new tab, then try again'), field: null, signIn: true };
  }
  if (error.message === '') {
    return plain(
      error.status === 413 ? t('The file is too large') : t('The server sent an unexpected response'),
    );
  }
  const words = withSizes(error.message);
  const isTaken = error.message === t('This id is taken, choose another one');
  const [, name = '', reason = ''] = isTaken
    ? ['', 'uniqueId', t('Already taken, choose another one')]
    : (/^(\w+): (.+)$/s.exec(words) ?? []);
  const field = form.querySelector<HTMLInputElement>(`[name="${asked[name] ?? name}"]`);
  // Only the text of the label, without the word “optional”.
  const label = field?.labels?.[0]?.firstChild?.textContent;
  return label ? { text: `${label}: ${reason}`, field, signIn: false } : plain(words);
}

/** The API counts in bytes, in every language. */
const withSizes = (text: string): string =>
  text.replace(/(?<!\d)(\d{1,16}) (?:bytes|Byte|B|Б)(?!\p{L})/gu, (_match, bytes: string) =>
    fileSize(Number(bytes)),
  );

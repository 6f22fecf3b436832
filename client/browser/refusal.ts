import { readableSize } from '../../routers/embed.js';
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
  if (!(error instanceof Refused)) return plain(error instanceof Error ? error.message : 'Failed');
  if (error.status === 401)
    return { text: 'Sign in in a new tab, then try again', field: null, signIn: true };
  if (error.message === '') {
    return plain(error.status === 413 ? 'The file is too large' : 'The server sent an unexpected response');
  }
  const words = error.message
    .replace(/^This id is taken/, 'uniqueId: Already taken')
    .replace(/\b(\d{1,16}) bytes\b/g, (_match, bytes: string) => readableSize(Number(bytes)));
  const [, name = '', reason = ''] = /^(\w+): (.+)$/s.exec(words) ?? [];
  const field = form.querySelector<HTMLInputElement>(`[name="${asked[name] ?? name}"]`);
  // Only the text of the label, without the word “optional”.
  const label = field?.labels?.[0]?.firstChild?.textContent;
  return label ? { text: `${label}: ${reason}`, field, signIn: false } : plain(words);
}

import { readableSize } from '../../routers/embed.js';
import { Refused } from './transfer.js';

/** What a refused upload shows: a sentence in the words of the page, and the field to mend, if it is one. */
export interface Said {
  readonly text: string;
  readonly field: HTMLElement | null;
  /** Signing in would help. */
  readonly signIn: boolean;
}

/** Fields of the interface that this form asks for under another name. */
const asked: Readonly<Record<string, string>> = { expiresAt: 'expiresIn' };

/** Says why a file was not uploaded with the labels of its form, and sizes as the page says them. */
export function sayRefusal(error: unknown, form: HTMLFormElement): Said {
  const plain = (text: string): Said => ({ text, field: null, signIn: false });
  if (!(error instanceof Refused)) return plain(error instanceof Error ? error.message : 'Failed');
  if (error.status === 401)
    return { text: 'Sign in in the new tab, then try again', field: null, signIn: true };
  if (error.message === '') {
    return plain(error.status === 413 ? 'The file is too large' : 'The server did not understand');
  }
  const words = error.message
    .replace(/^This id is taken/, 'uniqueId: Taken already')
    .replace(/\b(\d{1,16}) bytes\b/g, (_match, bytes: string) => readableSize(Number(bytes)));
  const [, name = '', reason = ''] = /^(\w+): (.+)$/s.exec(words) ?? [];
  const field = form.querySelector<HTMLInputElement>(`[name="${asked[name] ?? name}"]`);
  // The label's own text, without the word beside it that the field may stay empty.
  const label = field?.labels?.[0]?.firstChild?.textContent;
  return label ? { text: `${label}: ${reason}`, field, signIn: false } : plain(words);
}

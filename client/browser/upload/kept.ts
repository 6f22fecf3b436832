/** Files that a guest has chosen, kept by the browser until they have arrived, and for an hour after that to be taken back. */
import { createStore, del, entries, set } from 'idb-keyval';

/** How long a file can be taken back, in milliseconds. */
const RETURN_MS = 3_600_000;

/** A file that was chosen for a request; `receipt` names it, so that it is stored once however often it is sent. */
export interface Chosen {
  readonly receipt: string;
  readonly name: string;
  readonly sender: string;
  /** Null once it has arrived. */
  readonly file: File | null;
  /** When it arrived, epoch milliseconds; null before. */
  readonly sentAt: number | null;
}

/** The files of one request. Where the browser keeps nothing, files are sent as long as the page is open. */
export function keptFor(request: string) {
  const open = () => createStore('holdall-requests', 'files');
  const keyOf = ({ receipt }: Pick<Chosen, 'receipt'>) => [request, receipt];
  const ignore = (): undefined => undefined;
  return {
    /** Keeps a file before it is sent. */
    keep: async (chosen: Chosen): Promise<void> => set(keyOf(chosen), chosen, open()).catch(ignore),
    /** Notes that it has arrived: its bytes are needed no more. */
    arrived: async (chosen: Chosen): Promise<void> =>
      set(keyOf(chosen), { ...chosen, file: null, sentAt: Date.now() }, open()).catch(ignore),
    forget: async (chosen: Pick<Chosen, 'receipt'>): Promise<void> =>
      del(keyOf(chosen), open()).catch(ignore),
    /** What waits or can still be taken back, in the order in which it was chosen. */
    all: async (): Promise<readonly Chosen[]> => {
      const found = await entries<[string, string], Chosen>(open()).catch(() => []);
      const own = found.filter(([[of]]) => of === request).map(([, chosen]) => chosen);
      const over = own.filter(({ sentAt }) => sentAt !== null && sentAt < Date.now() - RETURN_MS);
      for (const chosen of over) await del(keyOf(chosen), open()).catch(ignore);
      return own.filter((chosen) => !over.includes(chosen));
    },
  };
}

/** A new name for a file: 128 bits. */
export const newReceipt = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

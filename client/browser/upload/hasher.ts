/** A worker that hashes files one after another, so that the page stays usable and holds none of them in memory. */
import { hashOf } from '../../src/sha256.js';

/** What the page gets: how much was read, and in the end the hash, or that the file cannot be read. */
export type HashNews =
  | { readonly bytes: number }
  | { readonly sha256: string }
  | { readonly unreadable: string };

const tell = (news: HashNews): void => self.postMessage(news);

self.addEventListener('message', ({ data }: MessageEvent<File>) => {
  hashOf(data, { onBytes: (bytes) => tell({ bytes }) }).then(
    (sha256) => tell({ sha256 }),
    (error: unknown) => tell({ unreadable: String(error) }),
  );
});

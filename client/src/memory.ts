/** Remembers where unfinished uploads continue, by what identifies a file and its options. */
export interface UploadMemory {
  get(fingerprint: string): string | null | Promise<string | null>;
  set(fingerprint: string, address: string): void | Promise<void>;
  delete(fingerprint: string): void | Promise<void>;
}

const PREFIX = 'holdall-upload:';
/** A server forgets an upload a day after its last byte. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** The storage of the browser, shared by all tabs of an origin; null where there is none, or it is forbidden. */
export function ownMemory(): UploadMemory | null {
  let storage: Storage;
  try {
    storage = globalThis.localStorage;
    if (storage === undefined) return null;
    forgetOld(storage);
  } catch {
    return null;
  }
  return {
    get: (fingerprint) => read(storage.getItem(PREFIX + fingerprint))?.address ?? null,
    set: (fingerprint, address) => {
      try {
        storage.setItem(PREFIX + fingerprint, JSON.stringify({ address, at: Date.now() }));
      } catch {
        // A full storage only means that this upload cannot be continued in another tab.
      }
    },
    delete: (fingerprint) => storage.removeItem(PREFIX + fingerprint),
  };
}

function read(text: string | null): { readonly address: string; readonly at: number } | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function forgetOld(storage: Storage): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const key of keys) {
    if (!key.startsWith(PREFIX)) continue;
    const at = read(storage.getItem(key))?.at ?? 0;
    // Long uploads are remembered from their beginning.
    if (at < Date.now() - 7 * KEPT_MS) storage.removeItem(key);
  }
}

import { hashOf } from '../../src/sha256.js';
import type { HashNews } from './hasher.js';

interface How {
  readonly onBytes: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/** Hashes files in a worker at this address, one at a time; in the page itself where no worker starts. */
export function hashing(address: string): {
  readonly hash: (file: Blob, how: How) => Promise<string>;
  readonly end: () => void;
} {
  let worker: Worker | null = null;
  let isBroken = false;
  const end = (): void => {
    worker?.terminate();
    worker = null;
  };
  const hash = async (file: Blob, how: How): Promise<string> => {
    if (!isBroken) {
      try {
        worker ??= startWorker(address);
        return await ask(worker, file, how);
      } catch (error) {
        end();
        if (!(error instanceof NoWorker)) throw error;
        isBroken = true;
      }
    }
    return hashOf(file, how);
  };
  return { hash, end };
}

/** There is no worker, for whatever reason. */
class NoWorker extends Error {}

/** The policy of pages lets scripts start no others, except by the policy of this name. */
const policy = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes?.createPolicy(
  'hasher',
  {
    createScriptURL: (address) => {
      if (/^\/web\/assets\/hasher-[A-Z0-9]+\.js$/.test(address)) return address;
      throw new NoWorker();
    },
  },
);

/** What of trusted types is used here. */
interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): URL };
}

function startWorker(address: string): Worker {
  try {
    return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module' });
  } catch (cause) {
    throw new NoWorker(undefined, { cause });
  }
}

function ask(worker: Worker, file: Blob, { onBytes, signal }: How): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal?.reason);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    worker.onmessage = ({ data }: MessageEvent<HashNews>) => {
      if ('bytes' in data) return onBytes(data.bytes);
      signal?.removeEventListener('abort', stop);
      if ('sha256' in data) resolve(data.sha256);
      else reject(new Error(data.unreadable));
    };
    worker.onerror = () => reject(new NoWorker());
    worker.postMessage(file);
  });
}

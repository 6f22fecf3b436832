/** Waits; a browser that is online again ends it early. Throws the signal's reason if that is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      if (typeof removeEventListener === 'function') removeEventListener('online', done);
    };
    const done = (): void => {
      end();
      resolve();
    };
    const stop = (): void => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', stop);
    if (typeof addEventListener === 'function') addEventListener('online', done);
  });
}

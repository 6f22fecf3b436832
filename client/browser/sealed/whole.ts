/** Larger contents wait in a file of the browser's own storage, so that they take no memory. */
const MAX_IN_MEMORY = 16 * 1024 * 1024;
/** No download takes longer; after that a file is removed when the next one is opened. */
const KEPT_MS = 3_600_000;
const FOLDER = 'sealed';

/** A content that was read to its end. */
export interface Whole {
  readonly blob: Blob;
  /** Removes it from the storage of the browser. */
  forget(): void;
}

/**
 * Reads a content of about `size` bytes to its end before anybody sees anything of it: what was cut or changed is found
 * out there at the latest. Fails as the stream does, and then keeps nothing.
 */
export async function wholeOf(
  content: ReadableStream<Uint8Array>,
  size: number,
  onBytes: (bytes: number) => void,
): Promise<Whole> {
  const counted = content.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onBytes(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );
  const draft = size > MAX_IN_MEMORY ? await newDraft() : null;
  if (draft === null) {
    const parts: Uint8Array[] = [];
    // A `Response` of it would hide why it failed.
    const into = new WritableStream<Uint8Array>({ write: (chunk) => void parts.push(chunk) });
    await counted.pipeTo(into);
    return { blob: new Blob(parts as BlobPart[]), forget: () => undefined };
  }
  const forget = (): void => void draft.folder.removeEntry(draft.file.name).catch(() => undefined);
  try {
    await counted.pipeTo(await draft.file.createWritable());
    return { blob: await draft.file.getFile(), forget };
  } catch (error) {
    forget();
    throw error;
  }
}

/** A new file in the storage of the browser; null where it offers none, as over http and in some private windows. */
async function newDraft() {
  try {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER, { create: true });
    await forgetOld(folder);
    const file = await folder.getFileHandle(`${Date.now()}-${crypto.randomUUID()}`, { create: true });
    return 'createWritable' in file ? { folder, file } : null;
  } catch {
    return null;
  }
}

async function forgetOld(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys())
    if (Number.parseInt(name, 10) < Date.now() - KEPT_MS) await folder.removeEntry(name);
}

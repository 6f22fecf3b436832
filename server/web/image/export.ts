import type { OpenEntry } from '../../../rest-adapter/reply/zip-stream.js';
import { all, fileEntry, PAGE_SIZE } from '../account/export-lists.js';
import type { PageRequest } from '../request.js';

/** All uploads of an account. */
export const listImages =
  ({ library }: PageRequest['call']) =>
  (page: number) =>
    library.images({ page, pageSize: PAGE_SIZE });

/** The files of an account as they are stored. */
export async function* imageEntries({ call, ctx }: PageRequest): AsyncGenerator<OpenEntry> {
  for await (const { uniqueId, sha256, originalName, type, uploadedAt } of all(listImages(call))) {
    const name = `files/${uniqueId} ${originalName ?? `${uniqueId}.${type}`}`;
    yield* fileEntry(name, new Date(uploadedAt), ctx.app.storage.blobs, sha256);
  }
}

import { Readable } from 'node:stream';
import type { OpenEntry } from '../../../rest-adapter/reply/zip-stream.js';
import { unlessRemoved } from '../../../routers/base/errors.js';
import type { PageRequest } from '../request.js';
import { all, callsBetween, fileEntry, PAGE_SIZE } from './export-lists.js';

/** The contents of what is in the trash, each thing in a folder of its own. */
export async function* trashEntries(request: PageRequest): AsyncGenerator<OpenEntry> {
  const { call, release } = callsBetween(request.ctx);
  const { blobs } = request.ctx.app.storage;
  const list = async (page: number) => {
    const { items, total } = await request.call.trash.list({ page, pageSize: PAGE_SIZE });
    // Ids are unique in their kind only.
    const named = items.map((item) => ({
      ...item,
      id: item.uniqueId,
      uniqueId: `${item.kind} ${item.uniqueId}`,
    }));
    return { items: named, total };
  };
  try {
    for await (const { kind, id, uniqueId, trashedAt } of all(list)) {
      const contents = await unlessRemoved(call.trash.contents({ kind, uniqueId: id }));
      const folder = `trash/${uniqueId}`;
      const mtime = new Date(trashedAt);
      for (const { name, sha256 } of contents?.files ?? [])
        yield* fileEntry(`${folder}/${name}`, mtime, blobs, sha256);
      const text = contents?.text ?? null;
      if (text !== null) yield { name: `${folder}.txt`, mtime, content: Readable.from([text]) };
      release();
    }
  } finally {
    release();
  }
}

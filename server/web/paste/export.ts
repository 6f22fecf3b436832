import { Readable } from 'node:stream';
import type { OpenEntry } from '../../../rest-adapter/reply/zip-stream.js';
import { unlessGone } from '../../../routers/errors.js';
import { all, callsBetween, PAGE_SIZE } from '../account/export-lists.js';
import type { PageRequest } from '../request.js';

/** All pastes of an account, without their texts. */
export const listPastes =
  ({ library }: PageRequest['call']) =>
  (page: number) =>
    library.pastes({ page, pageSize: PAGE_SIZE });

/**
 * The texts of pastes. Each is counted as memory in use only until it is in the zip, not until the whole zip is sent.
 */
export async function* pasteEntries(request: PageRequest): AsyncGenerator<OpenEntry> {
  const { call, release } = callsBetween(request.ctx);
  const { paste: pastes } = call;
  try {
    for await (const { uniqueId, createdAt, burn } of all(listPastes(request.call))) {
      const paste = burn ? null : await unlessGone(pastes.get({ uniqueId }));
      const name = `pastes/${uniqueId}.txt`;
      if (paste !== null) yield { name, mtime: new Date(createdAt), content: Readable.from([paste.content]) };
      release();
    }
  } finally {
    release();
  }
}

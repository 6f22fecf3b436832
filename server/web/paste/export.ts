import { Readable } from 'node:stream';
import type { OpenEntry } from '../../../rest-adapter/reply/zip-stream.js';
import { unlessRemoved } from '../../../routers/base/errors.js';
import { all, callsBetween, PAGE_SIZE } from '../account/export-lists.js';
import type { PasteRecord } from '../records.js';
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
    for await (const { uniqueId, createdAt, burn, revision, sealed } of all(listPastes(request.call))) {
      const paste = burn ? null : await unlessRemoved(pastes.get({ uniqueId }));
      if (paste !== null) yield* textEntries(paste, `pastes/${uniqueId}`, createdAt, sealed);
      release();
      if (paste !== null && revision > 1) yield* revisionEntries(request, uniqueId);
    }
  } finally {
    release();
  }
}

/** A text, or the files of a folder. */
function* textEntries(
  { content, files }: Pick<PasteRecord, 'content' | 'files'>,
  path: string,
  createdAt: string,
  sealed: boolean,
): Generator<OpenEntry> {
  const texts = files?.map(({ name, text }) => ({ name: `${path}/${name}`, text }));
  for (const { name, text } of texts ?? [{ name: `${path}.${sealed ? 'age' : 'txt'}`, text: content }])
    yield { name, mtime: new Date(createdAt), content: Readable.from([text]) };
}

/** What a paste was before, each text with its revision and title in its name. */
async function* revisionEntries(request: PageRequest, uniqueId: string): AsyncGenerator<OpenEntry> {
  const { call, release } = callsBetween(request.ctx);
  const list = async (page: number) => {
    const asked = { uniqueId, page, pageSize: PAGE_SIZE };
    const { items, total } = (await unlessRemoved(request.call.paste.revisions(asked))) ?? {
      items: [],
      total: 0,
    };
    return { items: items.map((item) => ({ ...item, uniqueId: String(item.revision) })), total };
  };
  try {
    for await (const { revision, title, createdAt, sealed } of all(list)) {
      const whole = await unlessRemoved(call.paste.revision({ uniqueId, revision }));
      const path = `pastes/${uniqueId} revisions/${revision} ${title.replaceAll('/', '_')}`;
      if (whole !== null) yield* textEntries(whole, path, createdAt, sealed);
      release();
    }
  } finally {
    release();
  }
}

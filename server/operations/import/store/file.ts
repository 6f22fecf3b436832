import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, link, lstat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { insertImage } from '../../../../db/content/file/image.js';
import { fail } from '../../../../routers/base/errors.js';
import type { BlobStore, StagedBlob } from '../../../../routers/base/ports/storage.js';
import { cutText } from '../../../../routers/base/text/cut.js';
import { keepBlobs } from '../../../../routers/core/blobs/blobs.js';
import type { Services } from '../../../../routers/core/context.js';
import {
  blobsOf,
  fileFacts,
  type PreparedFile,
  prepareFile,
} from '../../../../routers/features/image/upload/prepare.js';
import { StagedUpload } from '../../../../routers/features/image/upload/staged.js';
import { followUp } from '../../../../routers/features/image/upload/store.js';
import { metadataPolicyOf } from '../../../../routers/features/image/upload/upload.js';
import type { SourceFile } from '../port.js';
import { common, type Imported, MAX_TEXT_LENGTH, note, type Place, tagsOf, underSomeId } from './item.js';

/** Files, as an upload would store them. */
export const file: Imported<SourceFile> = {
  called: 'files',
  refers: false,
  against: againstFile,
  store: storeFile,
};

async function storeFile(app: Services, item: SourceFile, place: Place): Promise<string> {
  const staged = await stagedFrom(app, item, place);
  let prepared: PreparedFile | null = null;
  try {
    const file = await prepareFile(app, new StagedUpload(staged, item.name, null), {
      ownerId: place.ownerId,
      policy: await metadataPolicyOf(app, place.ownerId),
      waitForPoster: false,
      anyContent: true,
    });
    prepared = file;
    return await underSomeId(app, item, (uniqueId) =>
      keepBlobs(app, blobsOf([file]), async (trx) => {
        const image = await insertImage(trx, {
          ...common(item, place, uniqueId),
          tags: tagsOf(item),
          ...fileFacts(app, file),
          originalName: file.originalName,
          description: item.description === null ? null : cutText(item.description, MAX_TEXT_LENGTH),
          source: 'UNKNOWN',
          maxViews: item.maxViews,
          thumbhash: null,
        });
        if (item.views > 0)
          await trx('images').where('id', image.id).update({ views: item.views, opened: item.views });
        await followUp(app, trx, image, file.poster === 'LATE');
        await note(trx, item, place, image.id);
        return uniqueId;
      }),
    );
  } finally {
    await prepared?.discard();
    await staged.discard();
  }
}

async function stagedFrom(
  { storage: { blobs } }: Services,
  { bytes }: SourceFile,
  { adoptingIn }: Place,
): Promise<StagedBlob> {
  if (adoptingIn !== null && !Buffer.isBuffer(bytes)) return adopted(blobs, pathOf(bytes), adoptingIn);
  const source = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : createReadStream(pathOf(bytes));
  return blobs.stage(source, { maxBytes: Number.MAX_SAFE_INTEGER }).finally(() => source.destroy());
}

/** Takes a file over under a second name; it stays where it is, with its date. */
async function adopted(blobs: BlobStore, path: string | Buffer, folder: string): Promise<StagedBlob> {
  const { atime, mtime } = await lstat(path);
  const second = join(folder, randomUUID());
  await link(path, second).catch((cause: unknown) =>
    fail('INVALID', {
      message: 'the file cannot get a second name: it must be on the same file system as DATA_DIR',
      cause,
    }),
  );
  const staged = await blobs.stageFile(second);
  await utimes(path, atime, mtime);
  return staged;
}

const pathOf = (bytes: string | { readonly path: Buffer }): string | Buffer =>
  typeof bytes === 'string' ? bytes : bytes.path;

async function againstFile(_app: Services, { bytes }: SourceFile): Promise<string | null> {
  if (Buffer.isBuffer(bytes)) return bytes.length === 0 ? 'its file is empty' : null;
  const path = pathOf(bytes);
  // A link could lead to any file of this machine.
  const facts = await lstat(path).catch(() => null);
  if (facts === null || !facts.isFile()) return `its file is missing: ${path}`;
  if (facts.size === 0) return 'its file is empty';
  const error = await access(path, constants.R_OK).catch((cause: Error) => cause);
  return error instanceof Error ? `its file cannot be read: ${error.message}` : null;
}

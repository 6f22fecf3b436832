import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { MailAttachment } from '../../../../db/mail/mail-attachment.js';
import type { InboundMail } from '../../../base/ports/mail/mail.js';
import type { StagedBlob } from '../../../base/ports/storage.js';
import type { Services } from '../../../core/context.js';
import { ORIGINAL_BYTES } from '../bounds.js';
import type { StagedAttachments } from './attachments.js';

/** A message as it came, staged; whoever staged it before may discard it again. */
export async function stageOriginal(app: Services, message: Buffer | StagedBlob): Promise<StagedBlob> {
  if (!Buffer.isBuffer(message)) return message;
  return app.storage.blobs.stage(Readable.from([message]), { maxBytes: ORIGINAL_BYTES });
}

/** Stages a message made of a mail that came in fields, so that every mail has an original. */
export function stageComposed(
  app: Services,
  mail: InboundMail,
  { attachments, blobs }: StagedAttachments,
): Promise<StagedBlob> {
  const bytes = new Map(blobs.map((blob) => [blob.sha256, blob]));
  const message = app.mail.write(
    mail,
    attachments.map((attachment) => ({ ...attachment, open: () => opened(attachment, bytes) })),
  );
  return app.storage.blobs.stage(message, { maxBytes: ORIGINAL_BYTES });
}

function opened({ sha256 }: MailAttachment, bytes: ReadonlyMap<string, StagedBlob>): Readable {
  const blob = sha256 === null ? undefined : bytes.get(sha256);
  if (blob === undefined) return Readable.from([]);
  return blob.content === null ? createReadStream(blob.path) : Readable.from([blob.content]);
}

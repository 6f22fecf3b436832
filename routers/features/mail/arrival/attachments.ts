import { Readable } from 'node:stream';
import type { MailAttachment } from '../../../../db/mail/mail-attachment.js';
import type { InboundAttachment } from '../../../base/ports/mail/mail.js';
import { ATTACHMENT_BYTES } from '../../../base/ports/mail/mail.js';
import { isProviderError } from '../../../base/ports/provider.js';
import type { StagedBlob } from '../../../base/ports/storage.js';
import type { Services } from '../../../core/context.js';
import type { StagedUpload } from '../../image/public.js';
import { examineStaged } from './enclosed.js';
import type { Examiner } from './withhold.js';

/** A file part of the request that delivered a mail, in the staging area. */
export interface ArrivedPart {
  readonly field: string;
  readonly upload: StagedUpload;
}

/** The staged attachments of a mail. */
export interface StagedAttachments {
  readonly attachments: readonly MailAttachment[];
  readonly blobs: readonly StagedBlob[];
  /** The provider did not hand out the bytes of some of them. */
  readonly missing: boolean;
  /** Frees what was staged here; the request itself frees its own parts. */
  discard(): Promise<void>;
}

/**
 * Stages the attachments of a mail, wherever they are, but for those that must not come in (`withhold.ts`). Throws
 * `ProviderDown` or `ProviderRefused` if the provider does not hand one out, unless `partial` allows it without bytes.
 */
export async function stageAttachments(
  app: Services,
  files: readonly InboundAttachment[],
  parts: readonly ArrivedPart[],
  { partial, examine }: { readonly partial: boolean; readonly examine: Examiner },
): Promise<StagedAttachments> {
  const waiting = [...parts];
  const own: StagedBlob[] = [];
  const blobs: StagedBlob[] = [];
  const discard = async () => {
    await Promise.all(own.map((blob) => blob.discard()));
  };
  const attachments: MailAttachment[] = [];
  let missing = false;
  try {
    for (const file of files) {
      const blob = await bytesOf(app, file, waiting, own, partial);
      const withheld = blob === null ? null : await examineStaged(app, examine, blob, file.contentType);
      const kept = withheld === null ? blob : null;
      if (kept !== null) blobs.push(kept);
      missing ||= blob === null && (file.size ?? 0) > 0;
      attachments.push({
        filename: file.filename,
        contentType: file.contentType,
        size: blob?.size ?? file.size ?? 0,
        sha256: kept?.sha256 ?? null,
        contentId: file.contentId,
        disposition: file.disposition,
        withheld,
      });
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return { attachments, blobs, missing, discard };
}

/** The staged bytes of one attachment; null if it has none. */
async function bytesOf(
  app: Services,
  { content }: InboundAttachment,
  waiting: ArrivedPart[],
  own: StagedBlob[],
  partial: boolean,
): Promise<StagedBlob | null> {
  if (content.kind === 'part') {
    // Several parts may have the same name; each is used once.
    const at = waiting.findIndex(({ field }) => field === content.field);
    const [part] = at < 0 ? [] : waiting.splice(at, 1);
    return part === undefined || part.upload.blob.size === 0 ? null : part.upload.blob;
  }
  const bytes = content.kind === 'bytes' ? content.bytes : await fetchBytes(app, content.url, partial);
  if (bytes === null || bytes.length === 0) return null;
  const blob = await app.storage.blobs.stage(Readable.from([bytes]), { maxBytes: ATTACHMENT_BYTES });
  own.push(blob);
  return blob;
}

async function fetchBytes(app: Services, url: string, partial: boolean): Promise<Buffer | null> {
  if (app.mail.store === null) return null;
  try {
    return await app.mail.store.fetchAttachment(url);
  } catch (error) {
    if (!partial || !isProviderError(error)) throw error;
    app.log.warn({ err: error }, 'an attachment could not be fetched from the provider');
    return null;
  }
}

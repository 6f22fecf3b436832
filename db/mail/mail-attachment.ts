import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** A mail as it came, among the blobs. */
export interface MailOriginal {
  readonly sha256: string;
  readonly size: number;
}

/** An attachment; `sha256` is null if its bytes are not stored. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string | null;
  /** What `cid:` addresses in the HTML name; without angle brackets. */
  readonly contentId: string | null;
  /** Null if the sender did not say. */
  readonly disposition: 'inline' | 'attachment' | null;
  /** Why its bytes are not kept; null if they are, or if they never came. */
  readonly withheld: 'blocked' | 'malware' | 'unscanned' | null;
}

/** Adds the attachments of a message, in their order. */
export async function insertAttachments(
  trx: Queryable,
  mailId: number,
  attachments: readonly MailAttachment[],
): Promise<void> {
  for (const attachment of attachments) {
    await trx('mail_attachments').insert({
      mail_id: mailId,
      filename: attachment.filename,
      content_type: attachment.contentType,
      size: attachment.size,
      sha256: attachment.sha256,
      content_id: attachment.contentId,
      disposition: attachment.disposition,
      withheld: attachment.withheld,
    });
  }
}

/** The attachments of a message, in their order. */
export async function attachmentsOf(db: Queryable, mailId: number): Promise<MailAttachment[]> {
  const found = await db('mail_attachments').where('mail_id', mailId).orderBy('id');
  return found.map((row) => ({
    filename: row.filename,
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
    contentId: row.content_id,
    disposition: row.disposition,
    withheld: row.withheld,
  }));
}

/** The original of a message and its subject; null if it is gone or none was kept. */
export async function originalOf(
  db: Queryable,
  mailId: number,
): Promise<(MailOriginal & { readonly subject: string }) | null> {
  const [row] = await query<{ sha256: string; size: number; subject: string }>(
    db,
    `SELECT c.original_sha256 AS sha256, c.original_size AS size, m.subject
       FROM mail_contents c JOIN mail_messages m ON m.id = c.mail_id
       WHERE m.id = ? AND c.original_sha256 IS NOT NULL`,
    [mailId],
  );
  return row ?? null;
}

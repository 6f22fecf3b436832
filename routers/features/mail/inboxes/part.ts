import { z } from 'zod';
import { planTransfer, transferInput } from '../../../base/transfer.js';
import type { Context } from '../../../core/context.js';
import type { ContentDelivery } from '../../image/public.js';
import { findAttachment, messageInput } from '../read.js';

/** A type that a header can have. */
const PLAIN_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** An attachment of a mail whose bytes are wanted, or a part of them. */
export const partInput = messageInput.extend({ index: z.int().min(0), transfer: transferInput });

/** The bytes of an attachment, as a download; 404 if it does not exist or its bytes are missing. */
export async function deliverPart(ctx: Context, input: z.output<typeof partInput>): Promise<ContentDelivery> {
  const { filename, contentType, size, sha256 } = await findAttachment(ctx, input);
  return {
    ...{ as: 'bytes', sha256, size, disposition: 'attachment', filename, uploader: null },
    mimeType: PLAIN_TYPE.test(contentType) ? contentType : 'application/octet-stream',
    ...{ shared: false, open: false, facts: { size, type: '' } },
    plan: planTransfer(input.transfer, `"${sha256}"`, size),
  };
}

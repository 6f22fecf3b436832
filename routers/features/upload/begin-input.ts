import { z } from 'zod';
import { fileIdInput, uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { itemFields } from '../image/public.js';
import { receiptInput, senderInput, ticketInput } from '../request/public.js';
import { incomingPartInput } from './incoming.js';

/** What somebody says of an upload that begins, and its first bytes. */
export const beginInput = z.object({
  /** All bytes of the upload; null if the client does not know yet. */
  length: z.int('send Upload-Length, or Upload-Defer-Length: 1').min(0).nullable(),
  filename: z.string().max(1_000).nullish(),
  filetype: z.string().max(200).nullish(),
  /** The client's own description of the upload, which it gets back. */
  metadata: z.string().max(16_384).nullish(),
  uniqueId: fileIdInput,
  /** The request link that the upload answers; null for an upload of the caller. */
  request: z
    .object({
      uniqueId: uniqueIdInput,
      /** Whether the client said that it is one; proxies put ids of their own into the same header. */
      isCertain: z.boolean().default(false),
      name: senderInput,
      password: shownPasswordInput,
      ticket: ticketInput,
      receipt: receiptInput.nullish(),
    })
    .nullish(),
  ...itemFields,
  /** Of the item or of the request link, whichever it is for: the former is checked where that is known. */
  password: shownPasswordInput,
  /** The first bytes, if they come with it. */
  part: incomingPartInput.nullish(),
  checksum: z.string().max(200).nullish(),
});
export type BeginInput = z.output<typeof beginInput>;

import { readFile } from 'node:fs/promises';
import type { EnclosedFile, InboundMail } from '../../../base/ports/mail/mail.js';
import type { StagedBlob } from '../../../base/ports/storage.js';
import type { Services } from '../../../core/context.js';
import { type Examiner, hashOf, type Withheld } from './withhold.js';

const MESSAGE = /^message\/(?:rfc822|global|news)$/;
/** Messages in each other; what is deeper inside is no work of a person. */
const MAX_DEPTH = 20;

/** Why a staged attachment is not kept; null if it may be. */
export const examineStaged = async (
  app: Services,
  examine: Examiner,
  blob: StagedBlob,
  contentType: string,
): Promise<Withheld | null> =>
  (await examine.staged(blob)) ??
  (MESSAGE.test(contentType) ? inMessage(app, examine, await bytesOf(blob)) : null);

const bytesOf = async ({ content, path }: StagedBlob): Promise<Buffer> => content ?? (await readFile(path));

/**
 * Why a message is not kept for a file in it, or in a message that it encloses: nothing can be taken out of it. One that
 * nobody can take apart completely is withheld if all files must be scanned.
 */
async function inMessage(app: Services, examine: Examiner, message: Buffer): Promise<Withheld | null> {
  let level = [message];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: Buffer[] = [];
    for (const enclosing of level) {
      const { files, cut } = await app.mail.inbound.filesIn(enclosing);
      if ((cut || depth >= MAX_DEPTH) && app.scanner?.required === true) return 'unscanned';
      if (depth >= MAX_DEPTH) return null;
      await examine.expect(files.map(({ bytes }) => bytes));
      for (const { bytes, contentType } of files) {
        const why = await examine.bytes(bytes);
        if (why !== null) return why;
        if (MESSAGE.test(contentType)) next.push(bytes);
      }
    }
    level = next;
  }
  return null;
}

const examineUnlisted = async (
  app: Services,
  examine: Examiner,
  { contentType, bytes }: EnclosedFile,
): Promise<Withheld | null> =>
  (await examine.bytes(bytes)) ?? (MESSAGE.test(contentType) ? inMessage(app, examine, bytes) : null);

/**
 * A mail without the texts that are files which must not come in: they become attachments, which are withheld.
 * `whole` if the message as it came has no such file beside its attachments.
 */
export async function withoutUnlisted(
  app: Services,
  examine: Examiner,
  mail: InboundMail,
  original: Buffer | StagedBlob | null,
): Promise<{ readonly mail: InboundMail; readonly whole: boolean }> {
  const texts = new Set<string>();
  let whole = true;
  await examine.expect((mail.unlisted ?? []).map(({ bytes }) => bytes));
  for (const file of mail.unlisted ?? []) {
    if ((await examineUnlisted(app, examine, file)) === null) continue;
    whole = false;
    if (file.shown) texts.add(hashOf(file.bytes));
  }
  if (texts.size === 0 || original === null) return { mail, whole };
  const { messageId, sender, recipients, authentication } = mail;
  const message = Buffer.isBuffer(original) ? original : await bytesOf(original);
  const read = await app.mail.inbound.readMessage(message, { sender, recipients }, texts);
  return { mail: { ...read, messageId, sender, recipients, authentication }, whole };
}

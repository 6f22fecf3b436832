import {
  type EnclosedFile,
  type Envelope,
  type InboundForm,
  InboundRefused,
  type MessageSource,
} from '../../../../routers/base/ports/mail/mail.js';
import { fromMessage, type ReadMail, readFields } from './fields.js';
import { parsedForm } from './large-object.js';
import { filesIn, readMessage, readPlainly } from './message.js';
import { peopleIn } from './people.js';
import { bytesOf } from './whole-message.js';

/** What a child process is asked to read: a whole message with its envelope, or a form. */
export type MailTask =
  | {
      readonly message: MessageSource;
      readonly envelope: Envelope;
      readonly withheld: ReadonlySet<string>;
      /** Only the headers and the beginning of the body: the message was too much to be taken apart. */
      readonly plain: boolean;
    }
  | { readonly form: InboundForm; readonly stored: boolean; readonly plain: boolean };

/** A mail, or why it is none. */
export type MailTaken = ReadMail | { readonly refused: Pick<InboundRefused, 'reason' | 'message'> };

/** Reads a mail in a child process, where only its own reader waits for it. */
export async function takeMail(task: MailTask): Promise<MailTaken> {
  try {
    return await read(task);
  } catch (error) {
    if (!(error instanceof InboundRefused)) throw error;
    return { refused: { reason: error.reason, message: error.message } };
  }
}

async function read(task: MailTask): Promise<ReadMail> {
  if ('form' in task) return readFields(await parsedForm(task.form), task.stored, task.plain);
  const bytes = await bytesOf(task.message);
  const { envelope, withheld, plain } = task;
  const people = (addresses: readonly string[]) => addresses.flatMap((address) => peopleIn(address));
  const message = await (plain ? readPlainly(bytes) : readMessage(bytes, withheld));
  const mail = fromMessage(message, {
    sender: people([envelope.sender]),
    recipients: people(envelope.recipients),
  });
  return { mail, original: null };
}

/** The files in a whole message, in a child process. */
export const takeFiles = async ({
  message,
}: {
  readonly message: Buffer;
}): Promise<{ readonly files: readonly EnclosedFile[]; readonly cut: boolean }> => filesIn(message);

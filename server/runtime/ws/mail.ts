import { newestMessageId } from '../../../db/mail/mail-message.js';
import type { Mailbox } from '../../../db/mail/mailbox.js';
import { DomainError } from '../../../routers/base/errors.js';
import { mailTopic } from '../../../routers/base/ports/hub.js';
import type { Context, Services } from '../../../routers/core/context.js';
import { requireScopeIfKeyed } from '../../../routers/core/scopes.js';
import { knownMailbox, readableMailbox } from '../../../routers/features/mail/access.js';
import { addressInput } from '../../../routers/features/mail/mailboxes.js';
import { BUSY, type Channel, type Connection, MISSING, REFUSED, send } from './channel.js';
import { createMailPushes } from './mail-pushes.js';
import { overOf, watchEnd } from './mailbox-end.js';

/** A client that does not read is disconnected; it can get what it missed with `getmissing`. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/**
 * `/ws/email?email=&apiKey=`: new messages of a mailbox, for its owner, administrators and holders of its cookie. In
 * `shown` a page sends its newest message ("" for none) and gets `{type: "changed"}` if that is outdated.
 */
export function createEmailChannel(app: Services): Channel {
  const pushMail = createMailPushes(app);
  return (_, connection) => serve(app, connection, pushMail);
}

async function serve(
  app: Services,
  connection: Connection,
  pushMail: ReturnType<typeof createMailPushes>,
): Promise<void> {
  const { socket, query } = connection;
  const address = addressInput.safeParse(query.get('email') ?? '');
  if (!address.success) return socket.close(MISSING, 'email is missing');

  const refuse = () => socket.close(REFUSED, 'this mailbox is not yours');
  const watch = watchEnd(app, connection, address.data);
  const push = async (mailId: number): Promise<void> => {
    // Checked again for each message, because keys and mailboxes may have been deleted.
    const mailbox = await mailboxOf(readableMailbox, connection, address.data);
    if (mailbox === null) return refuse();
    // After reconnecting, a client learns that something has changed and gets what it missed with `getmissing`.
    if ((await pushMail(connection, mailbox, mailId)) === 'busy') return socket.close(BUSY, 'busy');
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
  };
  // Subscribes before checking access, so that no message is missed in between.
  let last = Promise.resolve();
  const unsubscribe = app.hub.subscribe(mailTopic(address.data), ({ mailId }) => {
    last = last
      .then(() => push(Number(mailId)))
      .catch((error: unknown) => {
        app.log.error({ err: error }, 'a new message could not be pushed');
        socket.close(1011);
      });
  });
  socket.once('close', unsubscribe);
  socket.once('close', watch.stop);
  // What is over is known to more callers; asked second, so that an end between the two is still told.
  const readable = await mailboxOf(readableMailbox, connection, address.data);
  const mailbox = readable ?? (await mailboxOf(knownMailbox, connection, address.data));
  const over = mailbox === null ? null : overOf(mailbox);
  if (over !== null) return watch.refuse(over);
  if (readable === null) return refuse();
  watch.begin(readable);
  const shown = query.get('shown');
  if (shown === null) return;
  if (((await newestMessageId(app.db.read, readable.id)) ?? '') !== shown)
    send(connection, { type: 'changed' });
}

/** The mailbox that this finds for the connected user, or null; a key must have the scope that it needs elsewhere. */
async function mailboxOf(
  find: (ctx: Context, address: string) => Promise<Mailbox>,
  { context }: Connection,
  address: string,
): Promise<Mailbox | null> {
  const ctx = context();
  try {
    await requireScopeIfKeyed(ctx, { scope: 'mail:read', creates: false });
    return await find(ctx, address);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

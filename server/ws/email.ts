import { messageById } from '../../db/mail-message.js';
import { addressInput, readableMailbox } from '../../routers/email/mailboxes.js';
import { toMailRecord } from '../../routers/email/record.js';
import { DomainError } from '../../routers/errors.js';
import { mailTopic } from '../../routers/ports-hub.js';
import { type Channel, type Connection, MISSING, REFUSED, send } from './channel.js';

/** A client that does not read is let go; it gets what it lacks with `getmissing`. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024;

/** `/ws/email?email=&apiKey=`: each new message of a mailbox, for its owner, administrators and its cookie. */
export const emailChannel: Channel = async (app, connection) => {
  const { socket, query } = connection;
  const address = addressInput.safeParse(query.get('email') ?? '');
  if (!address.success) return socket.close(MISSING, 'email is missing');
  const mailbox = await allowedMailbox(connection, address.data);
  if (mailbox === null) return socket.close(REFUSED, 'this mailbox is not yours');

  const push = async (mailId: number): Promise<void> => {
    // Keys and mailboxes may have gone since the last message.
    const allowed = await allowedMailbox(connection, address.data);
    if (allowed?.id !== mailbox.id) return socket.close(REFUSED, 'this mailbox is not yours any more');
    const message = await messageById(app.db.read, mailId);
    if (message !== null) send(connection, await toMailRecord(app, mailbox.address, message));
    if (socket.bufferedAmount > MOST_UNREAD_BYTES) socket.terminate();
  };
  let last = Promise.resolve();
  const unsubscribe = app.hub.subscribe(mailTopic(mailbox.id), ({ mailId }) => {
    last = last
      .then(() => push(Number(mailId)))
      .catch((error: unknown) => {
        app.log.error({ err: error }, 'a new message could not be pushed');
        socket.close(1011);
      });
  });
  socket.once('close', unsubscribe);
  if (socket.readyState !== socket.OPEN) unsubscribe();
};

async function allowedMailbox({ context, trusted }: Connection, address: string) {
  if (!trusted) return null;
  try {
    return await readableMailbox(context(), address);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

import { type Mailbox, mailboxByAddress } from '../../../db/mail/mailbox.js';
import type { Services } from '../../../routers/context.js';
import { statusOf } from '../../../routers/mail/record.js';
import { mailboxTopic } from '../../../routers/ports/hub.js';
import { type Connection, REFUSED, send } from './channel.js';

/** The longest time that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Why a mailbox gets no mail, as the reason of a close; null while it is open. */
export function overOf(mailbox: Mailbox | null): string | null {
  const status = mailbox === null ? 'DELETED' : statusOf(mailbox, Date.now());
  return status === 'OPEN' ? null : `this mailbox is ${status.toLowerCase()}`;
}

/** Closes the connection to a mailbox that is closed, suspended, deleted or expires, and says why. */
export interface EndWatch {
  /** Begins to wait for the end of this mailbox. */
  until(mailbox: Mailbox): void;
  stop(): void;
}

/** Watches a mailbox for the connection that shows its mail. */
export function watchEnd(app: Services, connection: Connection, address: string): EndWatch {
  const { socket } = connection;
  let timer: NodeJS.Timeout | undefined;
  let watching = false;

  const until = ({ expiresAt }: Mailbox): void => {
    watching = true;
    clearTimeout(timer);
    if (expiresAt === null) return;
    const wait = Math.min(Math.max(0, expiresAt - Date.now()) + 1, MAX_TIMER_MS);
    timer = setTimeout(look, wait).unref();
  };
  const look = (): void => {
    if (!watching) return;
    mailboxByAddress(app.db.read, address)
      .then((mailbox) => {
        if (!watching) return;
        const over = overOf(mailbox);
        if (mailbox !== null && over === null) return until(mailbox);
        const reason = over ?? '';
        send(connection, { error: true, message: reason, close: true });
        socket.close(REFUSED, reason);
      })
      .catch((error: unknown) => {
        app.log.error({ err: error }, 'the end of a mailbox could not be looked up');
        socket.close(1011);
      });
  };
  const unsubscribe = app.hub.subscribe(mailboxTopic(address), look);
  return {
    until,
    stop: () => {
      watching = false;
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

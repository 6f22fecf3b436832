import { type Mailbox, mailboxByAddress } from '../../../db/mail/mailbox.js';
import { mailboxTopic } from '../../../routers/base/ports/hub.js';
import type { Services } from '../../../routers/core/context.js';
import { statusOf } from '../../../routers/features/mail/record.js';
import { type Connection, REFUSED, send } from './channel.js';

/** The longest time that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Why a mailbox gets no mail, as the reason of a close; null while it is open. */
export function overOf(mailbox: Mailbox | null): string | null {
  const status = mailbox === null ? 'DELETED' : statusOf(mailbox, Date.now());
  return status === 'OPEN' ? null : `this mailbox is ${status.toLowerCase()}`;
}

/** Closes the connection to a mailbox that is closed, suspended, deleted or expires, and says why. */
interface EndWatch {
  /** Begins to wait for the end of this mailbox; a change since the watch was made is looked at now. */
  begin(mailbox: Mailbox): void;
  /** Ends a connection to a mailbox that was over when it was looked at; says more only if it ended just now. */
  refuse(reason: string): void;
  stop(): void;
}

/** Watches a mailbox for the connection that shows its mail, from now on; says nothing before `begin`. */
export function watchEnd(app: Services, connection: Connection, address: string): EndWatch {
  const { socket } = connection;
  let timer: NodeJS.Timeout | undefined;
  let phase: 'early' | 'watching' | 'stopped' = 'early';
  let changedEarly = false;

  const sayOver = (reason: string): void => {
    send(connection, { error: true, message: reason, close: true });
    socket.close(REFUSED, reason);
  };
  const wait = ({ expiresAt }: Mailbox): void => {
    clearTimeout(timer);
    if (expiresAt === null) return;
    const left = Math.min(Math.max(0, expiresAt - Date.now()) + 1, MAX_TIMER_MS);
    timer = setTimeout(look, left).unref();
  };
  const look = (): void => {
    mailboxByAddress(app.db.read, address)
      .then((mailbox) => {
        if (phase === 'stopped') return;
        const over = overOf(mailbox);
        if (mailbox !== null && over === null) return wait(mailbox);
        sayOver(over ?? '');
      })
      .catch((error: unknown) => {
        app.log.error({ err: error }, 'the end of a mailbox could not be looked up');
        socket.close(1011);
      });
  };
  const unsubscribe = app.hub.subscribe(mailboxTopic(address), () => {
    if (phase === 'watching') look();
    else changedEarly = true;
  });
  return {
    begin: (mailbox) => {
      // The client may have gone while its access was checked.
      if (phase === 'stopped') return;
      phase = 'watching';
      if (changedEarly) look();
      else wait(mailbox);
    },
    refuse: (reason) => {
      if (changedEarly) sayOver(reason);
      else socket.close(REFUSED, reason);
    },
    stop: () => {
      phase = 'stopped';
      clearTimeout(timer);
      unsubscribe();
    },
  };
}

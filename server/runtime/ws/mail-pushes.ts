import { messageById } from '../../../db/mail/mail-message.js';
import type { Mailbox } from '../../../db/mail/mailbox.js';
import type { Services } from '../../../routers/core/context.js';
import { BUILDING_FACTOR } from '../../../routers/features/mail/bounds.js';
import { toMailRecord } from '../../../routers/features/mail/record.js';
import type { Connection } from './channel.js';

/** A mail as it is sent, and the function that releases its memory. */
interface BuiltMail {
  readonly bytes: Buffer;
  readonly release: () => void;
}

/** The result of a push: `gone` if the mail or the socket is gone, `busy` if there is not enough memory. */
type Pushed = 'sent' | 'gone' | 'busy';

/**
 * Sends mails to sockets. Each mail is built once and held in memory once, for any number of sockets and however
 * slowly they read. All of them together stay within the memory budget for mails.
 */
export function createMailPushes(app: Services) {
  const underWay = new Map<number, { readonly built: Promise<BuiltMail | Pushed>; users: number }>();

  async function build({ address, ownerId }: Mailbox, mailId: number): Promise<BuiltMail | Pushed> {
    const message = await messageById(app.db.read, mailId);
    if (message === null) return 'gone';
    const release = app.limits.mailMemory.take(BUILDING_FACTOR * message.size, String(ownerId));
    if (release === null) return 'busy';
    try {
      return { bytes: Buffer.from(JSON.stringify(await toMailRecord(app, address, message))), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  function leave(mailId: number): void {
    const mail = underWay.get(mailId);
    if (mail === undefined) return;
    mail.users -= 1;
    if (mail.users > 0) return;
    underWay.delete(mailId);
    mail.built.then(
      (built) => (typeof built === 'string' ? undefined : built.release()),
      () => undefined,
    );
  }

  return async ({ socket }: Connection, mailbox: Mailbox, mailId: number): Promise<Pushed> => {
    const mail = underWay.get(mailId) ?? { built: build(mailbox, mailId), users: 0 };
    underWay.set(mailId, mail);
    mail.users += 1;
    let sending = false;
    try {
      const built = await mail.built;
      if (typeof built === 'string') return built;
      if (socket.readyState !== socket.OPEN) return 'gone';
      sending = true;
      socket.send(built.bytes, { binary: false }, () => leave(mailId));
      return 'sent';
    } finally {
      if (!sending) leave(mailId);
    }
  };
}

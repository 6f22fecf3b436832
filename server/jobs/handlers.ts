import type { Services } from '../../routers/context.js';
import { MailRefused } from '../../routers/ports-mail.js';
import { GiveUp, type Handlers } from './queue.js';

/** What each kind of job does. */
export function createHandlers(app: Services): Handlers {
  return {
    mail: async (mail) => {
      try {
        await app.mail.send(mail);
      } catch (error) {
        if (error instanceof MailRefused) throw new GiveUp(error.message, { cause: error });
        throw error;
      }
    },
  };
}

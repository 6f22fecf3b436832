import type { Services } from '../../../routers/context.js';
import { deliverEvent } from '../../../routers/webhook/deliver.js';
import { type Handlers, Postponed } from './queue.js';

/** Calls users' webhooks. Failures are in the delivery log, so the job itself always succeeds. */
export const createWebhookHandlers = (app: Services): Pick<Handlers, 'webhook'> => ({
  webhook: async (event) => {
    const again = await deliverEvent(app, event);
    if (again !== null) throw new Postponed(again);
  },
});

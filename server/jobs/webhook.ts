import type { Services } from '../../routers/context.js';
import { deliverEvent } from '../../routers/webhook/deliver.js';
import { type Handlers, Postponed } from './queue.js';

/** Calls the webhooks of users. What fails is in their delivery log, so a job ends whatever came of it. */
export const createWebhookHandlers = (app: Services): Pick<Handlers, 'webhook'> => ({
  webhook: async (event) => {
    const again = await deliverEvent(app, event);
    if (again !== null) throw new Postponed(again);
  },
});

import type { Services } from '../../../routers/core/context.js';
import { deliverEvent } from '../../../routers/features/webhook/deliver.js';
import { type Handlers, Postponed } from './queue.js';

/** Calls users' webhooks. Failures are in the delivery log, so the job itself always succeeds. */
export const createWebhookHandlers = (app: Services): Pick<Handlers, 'webhook'> => ({
  webhook: async (event) => {
    const again = await deliverEvent(app, event);
    if (again !== null) throw new Postponed(again);
  },
});

import { message } from '../reply.js';
import { nothing, route } from '../route.js';

/** The outgoing webhook at work. */
export const webhookRoutes = [
  route('GET', '/user/get/@me/webhook/deliveries', {
    procedure: 'webhook.deliveries',
    summary: 'What became of the latest events',
    errors: [401, 403],
    read: nothing,
    reply: (deliveries) => message(deliveries),
  }),
  route('POST', '/user/get/@me/webhook/test', {
    procedure: 'webhook.test',
    summary: 'Call the webhook once and tell how it went',
    errors: [400, 401, 403, 429],
    read: nothing,
    reply: (delivery) => message(delivery),
  }),
];

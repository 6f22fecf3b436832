import { route } from '../route.js';

/** Deliveries and tests of the outgoing webhook. */
export const webhookRoutes = [
  route('GET', '/user/get/@me/webhook/deliveries', {
    procedure: 'webhook.deliveries',
    summary: 'The latest webhook deliveries',
    errors: [401, 403],
  }),
  route('POST', '/user/get/@me/webhook/test', {
    procedure: 'webhook.test',
    summary: 'Send a test event to the webhook and return the result',
    errors: [400, 401, 403, 409, 429],
  }),
];

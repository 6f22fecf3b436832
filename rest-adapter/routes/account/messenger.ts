import { alsoAs } from '../../receive/repeated.js';
import { done } from '../../reply/reply.js';
import { route } from '../../route.js';

const verify = route('POST', '/auth/verify/messenger', {
  procedure: 'messenger.verify',
  summary: 'Get a token that activates the account of the cookie verify_token once it is sent to the bot',
  errors: [401, 404, 429, 502],
  credentials: ['verifyToken'],
});
const connect = route('POST', '/telegram/connect/request', {
  procedure: 'messenger.connect',
  summary: 'Get a token that links the messenger account that sends it to the bot',
  errors: [401, 404, 409, 429, 502],
});
const unlink = route('DELETE', '/telegram/@me', {
  procedure: 'messenger.unlink',
  summary: 'Unlink the messenger account',
  errors: [401, 404],
  says: 'Unlinked',
});

/** Verification and linking with a messenger. */
export const messengerRoutes = [
  ...alsoAs(verify, ['POST', '/auth/verify/telegram']),
  ...alsoAs(connect, ['GET', '/telegram/connect/request']),
  route('GET', '/telegram/@me', {
    procedure: 'messenger.mine',
    summary: 'The linked messenger account',
    errors: [401, 404],
  }),
  ...alsoAs(unlink, ['DELETE', '/telegram/@me/revoke'], ['POST', '/telegram/@me/revoke']),
  route('GET', '/telegram/@me/revoke', {
    procedure: 'messenger.unlinkByLink',
    summary: 'Unlink the messenger account; only with a session and an Origin of CORS_ORIGINS, otherwise 405',
    errors: [401, 404, 405],
    credentials: ['session'],
    read: ({ header }) => ({ origin: header('origin') }),
    says: 'Unlinked',
  }),
  route('POST', '/telegram/webhook', {
    procedure: 'messenger.receive',
    summary: 'Receive messages to the bot from the messenger',
    errors: [401, 404],
    credentials: [],
    read: (wire) => ({ secret: wire.header('x-telegram-bot-api-secret-token'), update: wire.body.all() }),
    reply: done,
  }),
];

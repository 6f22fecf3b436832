import { z } from 'zod';
import { pageCounts, pageOutput } from '../../routers/features/admin/paging.js';
import { inboxPage } from '../../routers/features/mail/read.js';
import type { RulesRecord } from '../../routers/features/mail/rules.js';
import { queuedOutput } from '../../routers/features/mail/send.js';
import { waitOutput } from '../../routers/features/mail/wait.js';
import { content, message, noContent, said } from '../reply/reply.js';
import { route } from '../route.js';
import { transferOf, type Wire } from '../wire.js';
import { mailTrafficRoutes } from './mail-traffic.js';

const emailOf = ({ params }: Wire) => ({ email: params.email ?? '' });

/** The address of a mailbox, from the query or the body. */
const namedEmail = ({ query, body }: Wire) => ({
  email: query.over(body).required('email', 'mail', 'address'),
});

const stateRoute = (method: 'POST' | 'PUT', action: 'open' | 'close' | 'suspend') => {
  const state = { open: 'OPEN', close: 'CLOSED', suspend: 'SUSPENDED' } as const;
  return route(method, `/email/{email}/${action}`, {
    procedure: 'email.setState',
    summary: `Set the state of a mailbox to ${state[action].toLowerCase()}`,
    errors: [401, 403, 404],
    read: (wire) => ({ ...emailOf(wire), state: state[action] }),
  });
};

/** E-mail. */
export const mailRoutes = [
  route('POST', '/email/create', {
    procedure: 'email.create',
    summary: 'Create a mailbox; sets the cookie mailbox_token',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({
      name: body.text('name'),
      domain: body.text('domain'),
      expiresIn: body.raw('expiresIn', 'expires_in') as string | number | null | undefined,
    }),
  }),
  route('GET', '/email/create/public', {
    procedure: 'email.publicChallenge',
    summary: 'A proof of work for creating a mailbox without an account',
    errors: [404],
  }),
  route('POST', '/email/create/public', {
    procedure: 'email.createPublic',
    summary: 'Create a mailbox for seven days without an account; sets a cookie of its own',
    errors: [400, 404, 429, 502],
    signsIn: true,
    read: ({ body }) => ({ token: body.text('token', 'cf-turnstile-response') ?? '' }),
  }),
  ...mailTrafficRoutes,
  route('GET', '/email/getall', {
    procedure: 'email.all',
    summary: 'Every mailbox, newest first',
    errors: [400, 401, 403],
    read: ({ query }) => ({ limit: query.number('limit'), offset: query.number('offset') }),
  }),
  route('GET', '/email/mine', {
    procedure: 'email.mine',
    summary: "The caller's mailboxes, newest first",
    errors: [401],
  }),
  route('GET', '/email/getinfo', {
    procedure: 'email.info',
    summary: 'A mailbox',
    errors: [400, 401, 404],
    read: namedEmail,
  }),
  route('POST', '/email/getinfo', {
    procedure: 'email.info',
    summary: 'A mailbox',
    errors: [400, 401, 404],
    read: namedEmail,
  }),
  route('GET', '/email/{email}', {
    procedure: 'email.info',
    summary: 'A mailbox',
    errors: [401, 404],
    read: emailOf,
  }),
  route('GET', '/email/{email}/getinfo', {
    procedure: 'email.info',
    summary: 'A mailbox',
    errors: [401, 404],
    read: emailOf,
  }),
  ...(['open', 'close', 'suspend'] as const).flatMap((action) => [
    stateRoute('POST', action),
    stateRoute('PUT', action),
  ]),
  route('PUT', '/email/{email}/expiration', {
    procedure: 'email.setExpiration',
    summary: 'Set when a mailbox expires: a duration, a date, or "never"',
    errors: [400, 401, 404],
    read: (wire) => ({
      ...emailOf(wire),
      expiresAt: wire.query
        .over(wire.body)
        .raw('expiresIn', 'expireAt', 'expiresAt', 'expiration', 'expirationDate') as string | number | null,
    }),
  }),
  route('GET', '/email/{email}/messages/{messageId}/raw', {
    procedure: 'email.raw',
    summary: 'The message as it came (message/rfc822), in ranges on request',
    errors: [304, 401, 404, 416],
    read: (wire) => ({
      ...emailOf(wire),
      messageId: wire.params.messageId ?? '',
      transfer: transferOf(wire),
    }),
    responds: { kind: 'content' },
    shown: false,
    reply: (original) => content(original),
  }),
  route('GET', '/email/{email}/messages', {
    procedure: 'email.inbox',
    summary: 'The messages of a mailbox without their texts, newest first',
    errors: [400, 401, 404, 429],
    read: (wire) => ({
      ...emailOf(wire),
      page: wire.query.number('page') ?? 0,
      pageSize: wire.query.number('size') ?? 25,
      search: wire.query.text('search'),
      from: wire.query.text('from'),
      unread: wire.query.boolean('unread'),
    }),
    message: z.object({ content: inboxPage.shape.items, ...pageOutput }),
    reply: ({ items, total, page, pageSize }) =>
      message({ content: items, ...pageCounts({ page, pageSize }, total) }),
  }),
  route('GET', '/email/{email}/messages/{messageId}', {
    procedure: 'email.message',
    summary: 'A message without the bytes of its attachments',
    errors: [400, 401, 404],
    read: (wire) => ({ ...emailOf(wire), messageId: wire.params.messageId ?? '', whole: true }),
  }),
  route('PUT', '/email/{email}/messages/{messageId}/read', {
    procedure: 'email.markRead',
    summary: 'Mark a message as read, or as unread',
    errors: [400, 401, 404],
    read: (wire) => ({
      ...emailOf(wire),
      messageId: wire.params.messageId ?? '',
      read: wire.query.over(wire.body).boolean('read'),
    }),
    says: 'Marked',
  }),
  route('POST', '/email/{email}/reply', {
    procedure: 'email.reply',
    summary: 'Answer a message from the address of its mailbox',
    body: 'long',
    errors: [400, 401, 403, 404, 409, 429],
    read: (wire) => ({
      ...emailOf(wire),
      messageId: wire.body.required('messageId'),
      text: wire.body.text('text', 'content'),
      html: wire.body.text('html'),
    }),
    responds: { kind: 'said' },
    beside: queuedOutput.shape,
    reply: (queued) => said('Queued', { extra: queued }),
  }),
  route('GET', '/email/{email}/forward', {
    procedure: 'email.forward',
    summary: 'Where a mailbox forwards to',
    errors: [401, 404],
    read: emailOf,
  }),
  route('PUT', '/email/{email}/forward', {
    procedure: 'email.setForward',
    summary: 'Forward the mail of a mailbox once the target has confirmed it, or end that (null)',
    errors: [400, 401, 403, 404, 409, 429],
    read: (wire) => ({ ...emailOf(wire), to: wire.body.raw('to') as string | null }),
  }),
  route('POST', '/email/{email}/credentials', {
    procedure: 'email.makeCredentials',
    summary: 'Make a mailbox a test inbox: mail sent by SMTP with the answer, to anybody, is kept in it',
    errors: [401, 403, 404],
    read: emailOf,
  }),
  route('DELETE', '/email/{email}/credentials', {
    procedure: 'email.endCredentials',
    summary: 'End the sending credentials of a mailbox',
    errors: [401, 404],
    read: emailOf,
    says: 'Ended',
  }),
  route('GET', '/email/{email}/wait', {
    procedure: 'email.wait',
    summary: 'The oldest message that fits, as soon as it is there; 204 if none comes in time',
    errors: [204, 400, 401, 404, 503],
    read: (wire) => ({
      ...emailOf(wire),
      subject: wire.query.text('subject'),
      from: wire.query.text('from'),
      to: wire.query.text('to'),
      after: wire.query.raw('after') as string | null | undefined,
      timeout: wire.query.number('timeout'),
    }),
    message: waitOutput.unwrap(),
    reply: (found) => (found === null ? noContent() : message(found)),
  }),
  route('GET', '/email/{email}/rules', {
    procedure: 'email.rules',
    summary: 'The rules of a mailbox',
    errors: [401, 404],
    read: emailOf,
  }),
  route('PUT', '/email/{email}/rules', {
    procedure: 'email.setRules',
    summary: 'Replace the rules of a mailbox; all that fit apply, in order',
    errors: [400, 401, 403, 404, 409],
    read: (wire) => ({ ...emailOf(wire), rules: wire.body.raw('rules') as RulesRecord['rules'] }),
  }),
  route('DELETE', '/email/{email}', {
    procedure: 'email.delete',
    summary: 'Delete a mailbox with its messages',
    errors: [401, 404],
    read: emailOf,
    says: 'Mailbox deleted',
  }),
  route('DELETE', '/email/{email}/inbox', {
    procedure: 'email.clear',
    summary: 'Delete every message of a mailbox',
    errors: [401, 404],
    read: emailOf,
    says: 'Inbox emptied',
  }),
  route('DELETE', '/email/{email}/inbox/{messageId}', {
    procedure: 'email.deleteMessage',
    summary: 'Delete a message',
    errors: [401, 404],
    read: (wire) => ({ ...emailOf(wire), messageId: wire.params.messageId ?? '' }),
    says: 'Message deleted',
  }),
];

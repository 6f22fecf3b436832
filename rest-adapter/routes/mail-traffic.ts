import { z } from 'zod';
import { pageCounts, pageOutput } from '../../routers/features/admin/paging.js';
import { mailRecord } from '../../routers/features/mail/record.js';
import { queuedOutput } from '../../routers/features/mail/send.js';
import { sentPage } from '../../routers/features/mail/sendings.js';
import { message, noContent, said } from '../reply/reply.js';
import { route } from '../route.js';

/** Mail that comes in from others, and that is sent. */
export const mailTrafficRoutes = [
  route('POST', '/email/inbound', {
    procedure: 'email.inbound',
    summary: 'Receive a mail from the provider (signed form) or from a mail worker (JSON with X-Email-Token)',
    body: 'mail',
    errors: [400, 401, 406, 413, 429],
    credentials: ['workerToken'],
    read: ({ body, file, parts, header }) => ({
      fields: body.all(),
      object: file,
      parts: [...(parts ?? [])],
      workerToken: header('x-email-token'),
    }),
    says: 'Received',
  }),
  route('POST', '/email/getmissing', {
    procedure: 'email.missing',
    summary: 'Messages of a mailbox that the caller does not have yet, newest first; 204 if there are none',
    body: 'long',
    errors: [204, 400, 401, 404],
    read: ({ query, body, header }) => ({
      mail: query.over(body).required('mail', 'email'),
      messageIds: body.list('messageIds'),
      origin: header('origin'),
    }),
    message: z.array(mailRecord),
    bare: z.array(mailRecord),
    reply: ({ messages, bare }) =>
      messages.length === 0
        ? noContent()
        : bare
          ? { as: 'json', status: 200, body: messages }
          : message(messages),
  }),
  route('POST', '/email/send', {
    procedure: 'email.send',
    summary: 'Send a mail',
    body: 'long',
    errors: [400, 401, 403, 409],
    read: ({ body }) => ({
      from: body.text('from'),
      to: body.raw('to') as string | string[],
      subject: body.text('subject'),
      content: body.text('content', 'text'),
      html: body.text('html'),
    }),
    responds: { kind: 'said' },
    beside: queuedOutput.shape,
    reply: (queued) => said('Queued', { extra: queued }),
  }),
  route('GET', '/email/sent', {
    procedure: 'email.sent',
    summary: 'What the caller has sent, newest first, and what became of it for each recipient',
    errors: [400, 401, 403],
    read: ({ query }) => ({
      page: query.number('page') ?? 0,
      pageSize: query.number('size') ?? 25,
      email: query.text('email'),
      messageId: query.text('messageId'),
      state: query.text('state') as 'FAILED' | undefined,
    }),
    message: z.object({ content: sentPage.shape.items, ...pageOutput }),
    reply: ({ items, total, page, pageSize }) =>
      message({ content: items, ...pageCounts({ page, pageSize }, total) }),
  }),
];

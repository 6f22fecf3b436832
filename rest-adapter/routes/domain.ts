import { z } from 'zod';
import { PROOF_PATH } from '../../routers/base/ports/domain-proof.js';
import { domainRecord } from '../../routers/features/domain/record.js';
import { done, message, text } from '../reply/reply.js';
import { route } from '../route.js';
import { pageIn, type Wire } from '../wire.js';

/** The host in the path. */
const hostIn = ({ params }: Wire) => ({ host: params.host ?? '' });

/** Hosts of accounts. */
export const domainRoutes = [
  route('GET', '/domains/ask', {
    procedure: 'domain.ask',
    summary: 'Whether a host is an active one: for proxies that fetch certificates on demand',
    errors: [400, 404],
    atRoot: true,
    read: ({ query }) => ({ domain: query.string('domain') }),
    responds: { kind: 'done' },
    reply: () => done({}),
  }),
  route('GET', `${PROOF_PATH}{token}`, {
    procedure: 'domain.proof',
    summary: 'The token of the host that is asked, which proves that it leads here',
    errors: [400, 404],
    atRoot: true,
    read: (wire) => ({ host: wire.header('host'), token: wire.params.token ?? '' }),
    responds: { kind: 'text' },
    reply: ({ token }) =>
      text(token, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }),
  }),
  route('GET', '/domains', {
    procedure: 'domain.list',
    summary: 'The hosts of the account, for its short links',
    errors: [401, 403],
    message: z.array(domainRecord),
    reply: ({ domains }) => message(domains),
  }),
  route('POST', '/domains', {
    procedure: 'domain.add',
    summary: 'Add a host; it is pending until its DNS or the host itself shows its token',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({ host: body.required('host') }),
  }),
  route('POST', '/domains/{host}/check', {
    procedure: 'domain.check',
    summary: 'Look for the proof of a host now',
    errors: [400, 401, 403, 404, 409, 429, 503],
    read: hostIn,
  }),
  route('PATCH', '/domains/{host}', {
    procedure: 'domain.change',
    summary: 'Change where unknown ids of a host lead; null and "" clear',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...hostIn(wire), fallbackUrl: wire.body.raw('fallbackUrl') as never }),
  }),
  route('DELETE', '/domains/{host}', {
    procedure: 'domain.remove',
    summary: 'Remove a host; its links stay, and are reached there again if it comes back',
    errors: [400, 401, 403, 404],
    read: hostIn,
    responds: { kind: 'done' },
    reply: () => done({}),
  }),
  route('GET', '/admin/domains', {
    procedure: 'domain.all',
    summary: 'The hosts of all accounts, those that wait for a decision first',
    errors: [400, 401, 403],
    read: (wire) => ({ ...pageIn(wire), state: wire.query.word('state') }),
  }),
  route('PUT', '/admin/domains/{host}', {
    procedure: 'domain.decide',
    summary: 'Approve a host, or withdraw that; `uid` names the account where several have it',
    errors: [400, 401, 403, 404, 409],
    read: (wire) => ({
      ...hostIn(wire),
      approved: wire.body.boolean('approved') as never,
      uid: wire.body.number('uid'),
    }),
  }),
];

import { message, record, said } from '../reply/reply.js';
import { route } from '../route.js';
import { itemOf, pageIn, type Wire } from '../wire.js';

const memberOf = (wire: Wire) => ({ ...itemOf(wire), username: wire.params.username ?? '' });

/** Collections that several keep together. Before the others: one of them is a word where those have an id. */
export const memberRoutes = [
  route('GET', '/collection/shared-with-me', {
    procedure: 'collection.sharedWithMe',
    summary: 'Collections of others of which the caller is a member, or which are offered',
    errors: [400, 401],
    read: pageIn,
  }),
  route('GET', '/collection/{uniqueId}/members', {
    procedure: 'collection.members',
    summary: 'The members of a collection, for its owner and for them',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...itemOf(wire), ...pageIn(wire) }),
  }),
  route('PUT', '/collection/{uniqueId}/members/{username}', {
    procedure: 'collection.setMember',
    summary: 'Make an account a member of a collection, who is told by mail, or give one another role',
    errors: [400, 401, 403, 404, 429],
    read: (wire) => ({ ...memberOf(wire), role: wire.body.required('role') }),
    reply: (member, wire) => message(member, { uniqueId: wire.params.uniqueId ?? null }),
  }),
  route('DELETE', '/collection/{uniqueId}/members/{username}', {
    procedure: 'collection.removeMember',
    summary: 'End a membership: the owner that of anybody, a member the own one',
    errors: [400, 401, 403, 404],
    read: memberOf,
    responds: { kind: 'said' },
    reply: (_, wire) => said('Removed', { uniqueId: wire.params.uniqueId ?? null }),
  }),
  route('POST', '/collection/{uniqueId}/owner', {
    procedure: 'collection.offer',
    summary: 'Offer a collection to another account, who becomes its owner by accepting',
    errors: [400, 401, 403, 404, 429],
    read: (wire) => ({ ...itemOf(wire), username: wire.body.required('username') }),
    responds: { kind: 'said' },
    reply: (_, wire) => said('Offered', { uniqueId: wire.params.uniqueId ?? null }),
  }),
  route('POST', '/collection/{uniqueId}/owner/accept', {
    procedure: 'collection.accept',
    summary: 'Become the owner of a collection that is offered to the caller',
    errors: [401, 404],
    read: itemOf,
    reply: (collection) => record(collection),
  }),
  route('DELETE', '/collection/{uniqueId}/owner', {
    procedure: 'collection.endOffer',
    summary: 'End the offer of a collection: take it back, or decline it',
    errors: [401, 403, 404],
    read: itemOf,
    responds: { kind: 'said' },
    reply: (_, wire) => said('Ended', { uniqueId: wire.params.uniqueId ?? null }),
  }),
];

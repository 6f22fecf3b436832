import { route } from '../../route.js';
import { pageIn, rowIdIn, type Wire } from '../../wire.js';

/** A flag that null and "" clear. */
const flag = (body: Wire['body'], name: string) => body.boolean(name) ?? body.cleared(() => undefined, name);

const keyFields = (body: Wire['body']) => ({
  name: body.text('name'),
  scopes: body.list('scopes'),
  expiresAt: body.raw('expiresAt'),
  asVisitor: flag(body, 'asVisitor'),
  createOnly: flag(body, 'createOnly'),
});

/** The main key of an account and its named keys. */
export const keyRoutes = [
  route('POST', '/user/get/@me/apikey', {
    procedure: 'user.replaceKey',
    summary: 'Replace the API key; the old one stops working immediately',
    errors: [401, 403],
  }),
  route('GET', '/user/get/@me/apikey', {
    procedure: 'user.mainKey',
    summary: 'Whether the main API key is on, and when it was last used',
    errors: [401, 403],
  }),
  route('DELETE', '/user/get/@me/apikey', {
    procedure: 'user.switchKeyOff',
    summary: 'Switch the main API key off; POST gives a new one',
    errors: [401, 403],
    says: 'The main API key is off',
  }),
  route('GET', '/user/get/@me/keys', {
    procedure: 'user.keys',
    summary: 'The named API keys of the account; the keys themselves are not stored',
    errors: [400, 401, 403],
    read: pageIn,
  }),
  route('POST', '/user/get/@me/keys', {
    procedure: 'user.createKey',
    summary: 'Create a named API key with scopes; only this answer contains the key',
    errors: [400, 401, 403],
    read: ({ body }) => keyFields(body) as never,
  }),
  route('PATCH', '/user/get/@me/keys/{id}', {
    procedure: 'user.changeKey',
    summary: 'Change a named API key; absent fields stay',
    errors: [400, 401, 403, 404],
    read: ({ params, body }) => ({ ...keyFields(body), id: rowIdIn(params.id) }) as never,
  }),
  route('DELETE', '/user/get/@me/keys/@this', {
    procedure: 'user.deleteThisKey',
    summary: 'Delete the named API key of the request; it stops working immediately',
    errors: [400, 401, 403],
    says: 'The key was deleted',
  }),
  route('DELETE', '/user/get/@me/keys/{id}', {
    procedure: 'user.deleteKey',
    summary: 'Delete a named API key; it stops working immediately',
    errors: [400, 401, 403, 404],
    read: ({ params }) => ({ id: rowIdIn(params.id) }),
    says: 'The key was deleted',
  }),
];

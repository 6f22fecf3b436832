import fc from 'fast-check';
import type { PageRoute } from '../../../server/web/request.js';
import { pages } from '../../../server/web/routes.js';
import { type Body, bodyOf, type Draft, files, headers, personas } from '../inputs/draft.js';
import { type Entry, entriesFor, valuesFor } from '../inputs/fields.js';
import { hostileText } from '../inputs/hostile.js';
import { inputOf } from '../inputs/input.js';
import type { Schema } from '../inputs/schema.js';
import type { Expectation } from '../judge.js';
import { type Operation, touchesAccounts } from './operation.js';

/** The procedures that forms call; their fields have the same names. */
const FORMS: Readonly<Record<string, readonly string[] | undefined>> = {
  '/web/login': ['auth.login'],
  '/web/register': ['auth.register'],
  '/web/image-upload': ['image.upload', 'playlist.upload'],
  '/web/image-upload/url': ['upload.startFetching'],
  '/web/paste-create': ['paste.create'],
  '/web/paste-render/{id}': ['paste.confirm'],
  '/web/url-create': ['url.create'],
  '/web/url-import': ['url.import'],
  '/web/url-render/{link}': ['url.visit'],
  '/web/links/{link}/rules': ['url.change'],
  '/web/delete/{kind}/{id}': ['library.deleteByLink'],
  '/web/library': ['library.discardMany', 'library.changeMany', 'playlist.putImages'],
  '/web/pastes': ['library.discardMany', 'library.changeMany'],
  '/web/links': ['library.discardMany', 'library.changeMany'],
  '/web/paste-language': ['paste.create'],
  '/web/collections': ['collection.create'],
  '/web/collections/{id}': ['collection.change', 'collection.addItems', 'collection.createLink'],
  '/web/mailboxes': ['email.create'],
  '/web/mailboxes/{email}/settings': ['email.setState', 'email.setExpiration', 'email.setForward'],
  '/web/mailboxes/{email}/message': ['email.reply'],
  '/web/mail-forward': ['email.agreeToForward'],
  '/web/guest-mailbox': ['email.createPublic'],
  '/v1/auth/verify/token': ['auth.verifyLink'],
  '/web/verify/link': ['auth.verifyLink'],
  '/web/verify': ['auth.verifyEmail', 'auth.correctEmail'],
  '/web/password-reset': ['auth.requestReset'],
  '/web/password-reset/confirm': ['auth.confirmReset'],
  '/web/settings': ['user.patchSocials'],
  '/web/settings/links': ['user.patchUrlSettings'],
  '/web/settings/embeds': ['user.patchWebhookSettings'],
  '/web/settings/webhook': ['user.patchWebhookSettings'],
  '/web/settings/security': ['auth.changePassword'],
  '/web/settings/security/email': ['auth.changeAddress'],
  '/web/verify/address': ['auth.confirmAddress'],
  '/web/settings/security/sessions': ['auth.revokeSession'],
  '/web/settings/account': ['user.delete'],
  '/web/admin/users': ['admin.users', 'user.create'],
  '/web/admin/users/{uid}': ['admin.changeUser'],
  '/web/admin/invites': ['admin.createInvites', 'admin.revokeInvite'],
  '/web/admin/audit': ['admin.auditLog'],
};

/** Additional fields of pages. */
const OWN: Readonly<Record<string, Schema>> = {
  action: { type: 'string' },
  confirmed: { type: 'string' },
  confirm: { type: 'string' },
  service: { type: 'string' },
  id: { type: 'string' },
  ids: { type: 'array', items: { type: 'string' } },
  playlist: { type: 'string' },
  next: { type: 'string' },
  done: { type: 'string' },
  page: { type: 'integer' },
  search: { type: 'string' },
  sort: { type: 'string' },
  unpack: { type: 'boolean' },
};

/** Pages, refused forms, redirects; never a failure. */
const expectation: Expectation = {
  statuses: new Set([200, 202, 206, 301, 302, 303, 304, 400, 401, 403, 404, 405, 413, 415, 416, 429]),
  refusals: 'page',
};

/** Pages call procedures that are tested themselves, and cost more than these. */
const PAGE_SHARE = 0.5;

/** Every page that can be viewed, and every form that can be sent. */
export const pageOperations = (): readonly Operation[] =>
  pages.map((route) => {
    const name = `${route.method} ${route.paths[0] ?? ''}`;
    return {
      name,
      drafts: draftsOf(route),
      expect: () => expectation,
      share: PAGE_SHARE,
      touchesAccounts: route.method === 'POST' && touchesAccounts(name),
    };
  });

function fieldsOf(path: string): Schema {
  const properties = (FORMS[path] ?? []).map((procedure) => inputOf(procedure).properties ?? {});
  return { type: 'object', properties: Object.assign({}, OWN, ...properties, { file: {} }) };
}

function draftsOf(route: PageRoute): fc.Arbitrary<Draft> {
  // A parameter with slashes is filled like others.
  const paths = route.paths.map((path) => path.replace('{*', '{'));
  const path = paths[0] ?? '/';
  const domain = path.split('/')[2]?.replace(/s$|-.*$/, '') ?? '';
  const { file: _, ...properties } = fieldsOf(path).properties ?? {};
  const entries = entriesFor(domain, { type: 'object', properties });
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const params = fc.tuple(
    ...inPath.map((name) =>
      fc
        .oneof(
          { weight: 4, arbitrary: valuesFor(domain, name, { type: 'string' }) },
          { weight: 1, arbitrary: hostileText },
        )
        .map((value): Entry => [name, value]),
    ),
  );
  const isForm = route.method === 'POST';
  return fc.record({
    persona: personas,
    method: fc.constant(route.method),
    path: fc.constantFrom(...paths),
    params,
    bare: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    query: isForm ? fc.constant([]) : entries,
    headers: headers.map((all): readonly Entry[] => [
      ...all.filter(([name]) => name !== 'accept'),
      ['accept', 'text/html,*/*;q=0.8'],
    ]),
    body: isForm ? bodiesOf(route, entries) : fc.constant<Body>({ as: 'none' }),
  });
}

const bodiesOf = (route: PageRoute, entries: fc.Arbitrary<readonly Entry[]>): fc.Arbitrary<Body> =>
  route.body === 'fields' ? bodyOf(entries) : bodyOf(entries, fc.option(files));

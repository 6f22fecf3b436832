import { rowIdIn } from '../../../rest-adapter/wire.js';
import { found, unlessRemoved } from '../../../routers/base/errors.js';
import { msg } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { isAdmin } from '../../../routers/base/roles.js';
import { SCOPES, type Scope } from '../../../routers/core/scopes.js';
import type { FormState } from '../components/form/form.js';
import { again, orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { KEYS_PATH, KeyPage, KeysPage, NewKeyPage, type ScopeChoice } from './keys-page.js';

const PATH = '/settings/security/keys';

const LABELS: Readonly<Record<Scope, Message>> = {
  'images:read': msg('see images and files'),
  'images:write': msg('upload, change and delete images and files'),
  'pastes:read': msg('see pastes'),
  'pastes:write': msg('create, change and delete pastes'),
  'urls:read': msg('see short links and their visits'),
  'urls:write': msg('create, change and delete short links'),
  'mail:read': msg('read mailboxes'),
  'mail:write': msg('create, change and delete mailboxes'),
  'stats:read': msg('see statistics'),
  'account:read': msg('see this account and its settings'),
  'account:write': msg('change this account and its settings'),
  'admin:read': msg('see everything that administrators see'),
  'admin:write': msg('change everything that administrators change'),
};

/** What scopes allow that their label does not tell (docs/access.md). */
const HINTS: Readonly<Partial<Record<Scope, Message>>> = {
  'mail:write': msg(
    'It also deletes mails, answers them and, for administrators, sends new ones; it sets forwarding only with mail:read.',
  ),
  'admin:read': msg(
    'It sees all accounts and the audit log; private pictures and texts of pastes only with images:read and pastes:read.',
  ),
  'admin:write': msg(
    'It sets passwords of accounts with a lower role and deletes them: give it only to what you trust with those.',
  ),
};

/** The scopes that are of use to this account. */
const choicesFor = (request: PageRequest): ScopeChoice[] => {
  const { role } = requireViewer(request);
  return SCOPES.filter((scope) => isAdmin(role) || !scope.startsWith('admin:')).map((scope) => [
    scope,
    LABELS[scope],
    HINTS[scope],
  ]);
};

/** Named API keys. */
export const keyPages = [
  getPage(PATH, async (request) => page(await keys(request))),
  postForm(
    PATH,
    again(keys, async (request) => {
      const { name, key } = await request.call.user.createKey(fieldsOf(request));
      return page(<NewKeyPage site={request.site} name={name} apiKey={key} />);
    }),
  ),
  getPage(`${PATH}/{id}`, async (request) => page(await key(request))),
  postForm(`${PATH}/{id}`, async (request) => {
    const id = rowIdIn(request.params.id);
    if (request.body.text('action') === 'delete') {
      // After a second click it is already gone, as wanted.
      await unlessRemoved(request.call.user.deleteKey({ id }));
      return goTo(`${KEYS_PATH}?done=keyDeleted`);
    }
    return orShowAgain(
      request,
      async () => {
        await request.call.user.changeKey({ id, ...fieldsOf(request) });
        return goTo(`${KEYS_PATH}?done=saved`);
      },
      (state) => key(request, state),
    );
  }),
];

const fieldsOf = ({ body }: PageRequest) => ({
  name: body.string('name'),
  scopes: body.every('scopes').filter((scope) => scope !== undefined) as Scope[],
  expiresAt: body.filled('expiresAt') ?? null,
  asVisitor: body.boolean('asVisitor') ?? false,
  createOnly: body.boolean('createOnly') ?? false,
});

async function keys(request: PageRequest, state?: FormState) {
  const { content, totalElements, currentPage, pageSize } = await request.call.user.keys({
    page: request.query.number('page') ?? 0,
  });
  const list = { items: content, total: totalElements, page: currentPage, pageSize };
  return <KeysPage site={request.site} keys={list} choices={choicesFor(request)} state={state} />;
}

async function key(request: PageRequest, state?: FormState) {
  const choices = choicesFor(request);
  const id = rowIdIn(request.params.id);
  const { content } = await request.call.user.keys({ size: 100 });
  const entry = found(content.find((each) => each.id === id));
  return <KeyPage site={request.site} entry={entry} choices={choices} state={state} />;
}

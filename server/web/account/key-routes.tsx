import { rowIdIn } from '../../../rest-adapter/wire.js';
import { found, unlessRemoved } from '../../../routers/base/errors.js';
import { isAdmin } from '../../../routers/base/roles.js';
import { SCOPES, type Scope } from '../../../routers/core/scopes.js';
import type { FormState } from '../components/form/form.js';
import { paged } from '../listing.js';
import { again, orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { KEYS_PATH, KeyPage, KeysPage, NewKeyPage, type ScopeChoice } from './keys-page.js';
import { SCOPE_HINTS, SCOPE_LABELS } from './scope-words.js';

const PATH = '/settings/security/keys';

/** The scopes that are of use to this account. */
const choicesFor = (request: PageRequest): ScopeChoice[] => {
  const { role } = requireViewer(request);
  return SCOPES.filter((scope) => isAdmin(role) || !scope.startsWith('admin:')).map((scope) => [
    scope,
    SCOPE_LABELS[scope],
    SCOPE_HINTS[scope],
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
  const { site, call, query } = request;
  const list = paged(await call.user.keys({ page: query.number('page') ?? 0 }));
  const { apiKey = null } = await call.user.me();
  return <KeysPage {...{ site, apiKey, state }} keys={list} choices={choicesFor(request)} />;
}

async function key(request: PageRequest, state?: FormState) {
  const choices = choicesFor(request);
  const id = rowIdIn(request.params.id);
  const { content } = await request.call.user.keys({ size: 100 });
  const entry = found(content.find((each) => each.id === id));
  return <KeyPage site={request.site} entry={entry} choices={choices} state={state} />;
}

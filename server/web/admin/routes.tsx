import { rowIdIn } from '../../../rest-adapter/wire.js';
import { fail, unlessRemoved } from '../../../routers/base/errors.js';
import { KINDS } from '../../../routers/base/kinds.js';
import { andEnded } from '../account/ended.js';
import type { FormState } from '../components/form/form.js';
import { ITEM_PAGES } from '../items.js';
import { choiceOf, listQuery, paged, pageNumber } from '../listing.js';
import { again, orShowAgain, reasonOf } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { UserPage } from './account-page.js';
import { UsersPage } from './accounts-page.js';
import { type ContentChoice, ContentPage } from './content-page.js';
import { InvitesPage } from './invites-page.js';
import { mayCommand } from './role.js';

/** Users, invite codes and all content, for administrators. */
export const adminPages = [
  getPage('/admin/users', async (request) => page(await users(request))),
  postForm('/admin/users', again(users, createUser)),
  getPage('/admin/users/{uid}', async (request) => page(await user(request))),
  postForm('/admin/users/{uid}', again(user, changeUser)),
  getPage('/admin/invites', async (request) => page(await invites(request))),
  postForm('/admin/invites', changeInvites),
  getPage('/admin/content', showContent),
];

async function users({ site, call, query }: PageRequest, state?: FormState) {
  const asked = listQuery(query);
  const list = await call.admin.users(asked);
  return <UsersPage site={site} list={paged(list)} search={asked.search} state={state} />;
}

async function createUser(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  const made = await call.user.create({
    username: body.string('username'),
    email: body.string('email'),
    password: body.string('password'),
    role: body.text('role') as never,
  });
  return goTo(`/web/admin/users/${made.uid}?done=saved`);
}

async function user(request: PageRequest, state?: FormState) {
  const { site, call, params } = request;
  const record = await call.admin.user({ uid: rowIdIn(params.uid) });
  const mayChange = mayCommand(requireViewer(request), record);
  return <UserPage site={site} user={record} mayChange={mayChange} state={state} />;
}

async function changeUser({ call, params, body }: PageRequest): Promise<PageAnswer> {
  const uid = rowIdIn(params.uid);
  const current = await call.admin.user({ uid });
  if (body.text('action') === 'delete') {
    if (body.text('confirm') !== current.username) fail('INVALID', 'confirm: This is not the username');
    await call.admin.deleteUser({ uid });
    return goTo('/web/admin/users?done=deleted');
  }
  const decision = body.text('action');
  if (decision === 'approve' || decision === 'refuse') {
    await unlessActive(call.admin.decideApproval({ uid, approved: decision === 'approve' }));
    return goTo(
      decision === 'refuse' ? '/web/admin/users?done=refused' : `/web/admin/users/${uid}?done=activated`,
    );
  }
  if (body.text('action') === 'activate') {
    await unlessActive(call.admin.activateUser({ uid }));
    return goTo(`/web/admin/users/${uid}?done=activated`);
  }
  if (body.text('action') === 'one-step') {
    await call.admin.endSecondFactor({ uid });
    return goTo(`/web/admin/users/${uid}?done=saved`);
  }
  // Only what was changed on the form: someone else may have changed the rest in the meantime, for example the
  // role, and setting an e-mail address ends sessions even if it is the same one.
  const changed = (name: 'username' | 'email' | 'role') => {
    const value = body.text(name);
    const shown = body.text(`shown-${name}`) ?? current[name];
    return value === undefined || value === '' || value === shown ? {} : { [name]: value };
  };
  const password = body.string('password');
  const { ended } = await call.admin.changeUser({
    uid,
    ...changed('username'),
    ...changed('email'),
    ...changed('role'),
    ...(password === ''
      ? {}
      : {
          password,
          endIdentities: body.boolean('endIdentities'),
          endPasskeys: body.boolean('endPasskeys'),
        }),
  });
  return goTo(`/web/admin/users/${uid}?done=${ended === undefined ? 'saved' : andEnded('recovered', ended)}`);
}

/** After a second click, or one by somebody else, the account is active already, as wanted. */
async function unlessActive(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (reasonOf(error) !== 'NOT_PENDING' && reasonOf(error) !== 'NOT_WAITING') throw error;
  }
}

async function invites({ site, call, query }: PageRequest, state?: FormState) {
  const list = await call.admin.invites({ page: pageNumber(query) });
  return <InvitesPage site={site} list={paged(list)} state={state} />;
}

async function changeInvites(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  if (body.text('action') === 'revoke') {
    // After a second click, or one by somebody else, it is already gone, as wanted.
    await unlessRemoved(call.admin.revokeInvite({ code: body.string('code') }));
    return goTo('/web/admin/invites?done=deleted');
  }
  return orShowAgain(
    request,
    async () => {
      await call.admin.createInvites({
        amount: body.number('amount'),
        prefix: body.text('prefix'),
        maxUses: body.number('maxUses'),
        expiresAt: body.filled('expiresAt'),
        role: body.filled('role'),
      });
      return goTo('/web/admin/invites?done=invited');
    },
    (state) => invites(request, state),
  );
}

async function showContent({ site, call, query }: PageRequest): Promise<PageAnswer> {
  const { search, page: at } = listQuery(query);
  const filter: ContentChoice = {
    search,
    kind: choiceOf(query, 'kind', KINDS, KINDS[0]),
    uid: /^\d{1,10}$/.exec(query.text('uid') ?? '')?.[0] ?? '',
  };
  const uid = filter.uid === '' ? null : Number(filter.uid);
  const list = await ITEM_PAGES[filter.kind].find(call, { search, uid, page: at });
  return page(<ContentPage site={site} list={list} filter={filter} />);
}

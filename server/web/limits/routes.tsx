import { rowIdIn } from '../../../rest-adapter/wire.js';
import { fail } from '../../../routers/base/errors.js';
import type { FormState } from '../components/form/form.js';
import { choiceOf } from '../listing.js';
import { saved } from '../refusal.js';
import { getPage, type PageRequest, page, postForm } from '../request.js';
import { entryRulesIn } from './entry-form.js';
import { policyOf } from './limits-form.js';
import { EVERYBODY, LIMITED_ROLES, RoleLimitsPage, SiteLimitsPage, UserLimitsPage } from './pages.js';
import { PRESETS } from './presets.js';

/** Limits of roles and accounts, and pauses, for administrators. */
export const limitPages = [
  getPage('/admin/limits', async (request) => page(await showRole(request))),
  postForm('/admin/limits', saved(showRole, saveRole)),
  getPage('/admin/users/{uid}/limits', async (request) => page(await showUser(request))),
  postForm('/admin/users/{uid}/limits', saved(showUser, saveUser)),
];

const ROLES = [EVERYBODY, ...LIMITED_ROLES.map(([role]) => role)] as const;
const roleOf = ({ query }: PageRequest) => choiceOf(query, 'role', ROLES, 'USER');

/** What the fields are filled in with. */
const presetIn = ({ query }: PageRequest) => choiceOf(query, 'preset', PRESETS, '');

async function showRole(request: PageRequest, state?: FormState) {
  const role = roleOf(request);
  if (role === EVERYBODY)
    return <SiteLimitsPage site={request.site} rules={await request.call.limits.site()} state={state} />;
  const policies = await request.call.limits.roles();
  const policy = policies.find((one) => one.role === role) ?? fail('NOT_FOUND');
  return <RoleLimitsPage site={request.site} {...{ policy, state }} preset={presetIn(request)} />;
}

async function saveRole(request: PageRequest): Promise<void> {
  const { call, body } = request;
  const role = roleOf(request);
  if (role === EVERYBODY) await call.limits.setSite(entryRulesIn(body));
  else if (body.string('action') === 'entry') await call.limits.setRoleEntry({ role, ...entryRulesIn(body) });
  else await call.limits.setRole({ role, ...policyOf(body) });
}

const uidOf = ({ params }: PageRequest) => ({ uid: rowIdIn(params.uid) });

async function showUser(request: PageRequest, state?: FormState) {
  const { call, site } = request;
  const [user, policy] = await Promise.all([
    call.admin.user(uidOf(request)),
    call.limits.ofUser(uidOf(request)),
  ]);
  return <UserLimitsPage {...{ site, user, policy, state }} preset={presetIn(request)} />;
}

const MINUTES = 60;

async function saveUser(request: PageRequest): Promise<void> {
  const { call, body } = request;
  const uid = uidOf(request);
  const action = body.string('action');
  if (action === 'resume') await call.limits.resume(uid);
  else if (action === 'pause') {
    const hours = body.number('hours');
    await call.limits.pause(
      hours === undefined ? { ...uid, indefinite: true } : { ...uid, durationMinutes: hours * MINUTES },
    );
  } else await call.limits.setUser({ ...uid, ...policyOf(body) });
}

import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { outranks } from '../../../routers/base/roles.js';
import { Submit } from '../components/button.js';
import { Select } from '../components/form/choices.js';
import { Form } from '../components/form/form.js';
import { Badge } from '../components/parts.js';
import type { FullUser, Role, UserSummary } from '../records.js';
import { ROLE_WORDS } from '../roles.js';
import type { Site, Viewer } from '../site.js';

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'MODERATOR', 'USER', 'TESTER', 'GUEST', 'BANNED'];

/** The badge of an account that cannot sign in yet: its e-mail address is not verified, or nobody has let it in. */
export function PendingBadge({ user }: { readonly user: Pick<FullUser, 'status'> }) {
  if (user.status === 'ACTIVE') return null;
  return <Badge look="warn">{user.status === 'PENDING' ? t('Pending') : t('Waits to be let in')}</Badge>;
}

/** Whether the viewer may change this account: an owner everybody, others only accounts of a lower role. */
export const mayCommand = (viewer: Viewer | null, { role }: Pick<UserSummary, 'role'>): boolean =>
  viewer !== null && (viewer.role === 'OWNER' || outranks(viewer.role, role));

/** Activates a pending account, or lets in one that waits for it. */
export function Activate({
  user,
}: {
  readonly user: Pick<UserSummary, 'uid' | 'username'> & Pick<FullUser, 'status'>;
}) {
  const waits = user.status === 'WAITING';
  return (
    <Form
      action={`/web/admin/users/${user.uid}`}
      label={
        waits
          ? t('Let {username} in', { username: user.username })
          : t('Activate {username}', { username: user.username })
      }
    >
      <Submit look="quiet" icon="check" name="action" value={waits ? 'approve' : 'activate'}>
        {waits ? t('Let in') : t('Activate')}
      </Submit>
    </Form>
  );
}

/** The badge of a role. */
export function RoleBadge({ role }: { readonly role: Role }) {
  const look =
    role === 'BANNED' || role === 'DELETED' ? 'bad' : role === 'OWNER' || role === 'ADMIN' ? 'good' : 'plain';
  return <Badge look={look}>{translateMessage(ROLE_WORDS[role])}</Badge>;
}

/** The roles that the viewer may grant: none above their own. */
export function RoleSelect({
  site,
  value,
  except,
}: {
  readonly site: Site;
  readonly value: string | null;
  readonly except?: Role;
}) {
  const given = roles.filter(
    (role) => role !== except && site.viewer !== null && !outranks(role, site.viewer.role),
  );
  return (
    <Select
      name="role"
      label={t('Role')}
      value={value}
      options={given.map((role) => [role, translateMessage(ROLE_WORDS[role])] as const)}
    />
  );
}

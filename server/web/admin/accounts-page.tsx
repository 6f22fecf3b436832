import { msg, t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, typed, untouched } from '../components/form/form.js';
import { AccountPassword } from '../components/form/passwords.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Card, Person, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { FullUser, Paged, UserSummary } from '../records.js';
import type { Site } from '../site.js';
import { Activate, mayCommand, PendingBadge, RoleBadge, RoleSelect } from './role.js';

/** An account in the list. */
type Listed = UserSummary & Pick<FullUser, 'email' | 'status'>;

const columnsFor = (site: Site): readonly Column<Listed>[] => [
  {
    head: msg('Person'),
    kind: 'short',
    cell: (user) => (
      <>
        <a href={`/web/admin/users/${user.uid}`}>
          <Person user={user} />
        </a>
        {user.status !== 'ACTIVE' && (
          <div class="actions">
            <PendingBadge user={user} />
            {mayCommand(site.viewer, user) && <Activate user={user} />}
          </div>
        )}
      </>
    ),
  },
  { head: msg('E-mail'), kind: 'long', title: (user) => user.email, cell: (user) => user.email },
  { head: msg('Role'), kind: 'short', cell: (user) => <RoleBadge role={user.role} /> },
  { head: msg('Joined'), cell: (user) => <Time at={user.createdAt} /> },
];

/** All accounts. */
export function UsersPage({
  site,
  list,
  search,
  state = untouched,
}: FormPageProps<{
  readonly list: Paged<Listed>;
  readonly search: string;
}>) {
  const { field } = bind(state);
  return (
    <ListPage
      site={site}
      path="/web/admin/users"
      title={t('People')}
      width="wide"
      lead={t('{total, plural, one {# account} other {# accounts}}', { total: list.total })}
      list={list}
      filter={{ search }}
      searchLabel={t('Search usernames and e-mails')}
      caption={t('Accounts')}
      columns={columnsFor(site)}
      rowKey={(user) => user.uid}
    >
      <Card
        title={t('New account')}
        hint={t('Active immediately, without an invite code or a verification e-mail.')}
      >
        <Form action="/web/admin/users" state={state}>
          <div class="pair">
            <Field {...field('username')} label={t('Username')} autocomplete="off" required />
            <Field {...field('email')} type="email" label={t('E-mail address')} autocomplete="off" required />
            <AccountPassword label={t('Password')} state={state} />
            <RoleSelect site={site} value={typed(state, 'role', 'USER')} />
          </div>
          <Submit icon="plus">{t('Create')}</Submit>
        </Form>
      </Card>
    </ListPage>
  );
}

import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { Form, typed, untouched } from '../components/form/form.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Card, Person, Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { FullUser, Paged, UserSummary } from '../records.js';
import { PendingBadge, RoleBadge, RoleSelect } from './role.js';

/** An account in the list. */
type Listed = UserSummary & Pick<FullUser, 'email' | 'status'>;

const userColumns: readonly Column<Listed>[] = [
  {
    head: 'Person',
    cell: (user) => (
      <>
        <a href={`/web/admin/users/${user.uid}`}>
          <Person user={user} />
        </a>{' '}
        <PendingBadge user={user} />
      </>
    ),
  },
  { head: 'E-mail', cell: (user) => user.email },
  { head: 'Role', cell: (user) => <RoleBadge role={user.role} /> },
  { head: 'Joined', cell: (user) => <Time at={user.createdAt} /> },
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
  return (
    <ListPage
      site={site}
      path="/web/admin/users"
      title="People"
      lead={plural(list.total, 'account')}
      list={list}
      filter={{ search }}
      searchLabel="Search usernames and e-mails"
      caption="Accounts"
      columns={userColumns}
      rowKey={(user) => user.uid}
    >
      <Card title="New account" hint="Active immediately, without an invite code or a verification e-mail.">
        <Form action="/web/admin/users" state={state}>
          <div class="pair">
            <Field
              name="username"
              label="Username"
              error={state.errors.username}
              value={typed(state, 'username')}
              autocomplete="off"
              required
            />
            <Field
              name="email"
              type="email"
              label="E-mail address"
              error={state.errors.email}
              value={typed(state, 'email')}
              autocomplete="off"
              required
            />
            <Field
              name="password"
              type="password"
              label="Password"
              error={state.errors.password}
              minLength={8}
              autocomplete="new-password"
              required
            />
            <RoleSelect site={site} value={typed(state, 'role', 'USER')} />
          </div>
          <Submit icon="plus">Create</Submit>
        </Form>
      </Card>
    </ListPage>
  );
}

import { readableSize } from '../../../routers/embed.js';
import { KIND_NAMES } from '../../../routers/kinds.js';
import { outranks } from '../../../routers/roles.js';
import { listPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field, Select } from '../components/form/field.js';
import { Form, type FormState, stateOf, typed, untouched, wrongPassword } from '../components/form/form.js';
import { ItemFigures } from '../components/item/item-figures.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Facts, Figure, Person, Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { FullUser, Paged, Role, UserSummary } from '../records.js';
import type { Site } from '../site.js';

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'MODERATOR', 'USER', 'TESTER', 'GUEST', 'BANNED'];

const roleNames: Readonly<Record<Role, string>> = {
  OWNER: 'Owner',
  ADMIN: 'Administrator',
  MODERATOR: 'Moderator',
  USER: 'User',
  TESTER: 'Tester',
  GUEST: 'Guest (read-only)',
  BANNED: 'Banned',
  DELETED: 'Deleted',
};

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
}: {
  readonly site: Site;
  readonly list: Paged<Listed>;
  readonly search: string;
  readonly state?: FormState | undefined;
}) {
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

/** One account, with what may be changed. */
export function UserPage({
  site,
  user,
  mayChange,
  state = untouched,
}: {
  readonly site: Site;
  readonly user: FullUser;
  /** Only someone with a higher role may change an account. */
  readonly mayChange: boolean;
  readonly state?: FormState | undefined;
}) {
  const path = `/web/admin/users/${user.uid}`;
  const saved = stateOf(state, 'save');
  const deletion = stateOf(state, 'delete');
  return (
    <Page site={site} title={user.username}>
      <Heading
        title={<Person user={user} />}
        lead={
          <>
            <RoleBadge role={user.role} /> <PendingBadge user={user} />
          </>
        }
      >
        <LinkButton href={listPath('/web/admin/content', { uid: user.uid })} icon="search">
          Content
        </LinkButton>
      </Heading>
      <div class="figures">
        <ItemFigures of={(kind) => user.stats[KIND_NAMES[kind].counter]} />
        <Figure label="Storage" value={readableSize(user.stats.storageUsed)} />
      </div>
      <Card title="Account">
        <Facts
          of={[
            ['User ID', String(user.uid)],
            ['Joined', <Time key="since" at={user.createdAt} />],
            ['Invited by', user.invitedBy && <Person key="by" user={user.invitedBy} />],
          ]}
        />
        {mayChange && (
          <Form action={path} state={saved}>
            {(['username', 'email', 'role'] as const).map((name) => (
              <input
                key={name}
                type="hidden"
                name={`shown-${name}`}
                value={typed(saved, `shown-${name}`, user[name]) ?? ''}
              />
            ))}
            <div class="pair">
              <Field
                name="username"
                label="Username"
                value={typed(saved, 'username', user.username)}
                error={saved.errors.username}
                autocomplete="off"
              />
              <Field
                name="email"
                type="email"
                label="E-mail address"
                value={typed(saved, 'email', user.email)}
                error={saved.errors.email}
                autocomplete="off"
              />
              <RoleSelect site={site} value={typed(saved, 'role', user.role)} />
              <Field
                name="password"
                type="password"
                label="New password"
                error={wrongPassword(saved)}
                minLength={8}
                hint="Ends all sessions, replaces the API key, and removes linked accounts and the webhook."
                autocomplete="new-password"
                optional
              />
            </div>
            <Submit name="action" value="save">
              Save
            </Submit>
          </Form>
        )}
      </Card>
      {mayChange && (
        <Card
          title="Two-step sign-in"
          hint="For someone who has lost their device and their recovery codes. Make sure you know who is asking."
        >
          <Form action={path} state={stateOf(state, 'one-step')}>
            <Submit look="quiet" name="action" value="one-step">
              Turn off
            </Submit>
          </Form>
        </Card>
      )}
      {mayChange && (
        <Card title="Delete account" hint="Its uploads, pastes and links are deleted with it.">
          <Form action={path} state={deletion}>
            <Field
              name="confirm"
              label={`Type ${user.username} to confirm`}
              error={deletion.errors.confirm}
              autocomplete="off"
              required
            />
            <Submit look="danger" icon="trash" name="action" value="delete">
              Delete
            </Submit>
          </Form>
        </Card>
      )}
    </Page>
  );
}

/** The badge of an account whose e-mail address is not verified yet; it cannot sign in. */
function PendingBadge({ user }: { readonly user: Pick<FullUser, 'status'> }) {
  return user.status === 'PENDING' ? <Badge look="warn">Pending</Badge> : null;
}

function RoleBadge({ role }: { readonly role: Role }) {
  const look =
    role === 'BANNED' || role === 'DELETED' ? 'bad' : role === 'OWNER' || role === 'ADMIN' ? 'good' : 'plain';
  return <Badge look={look}>{roleNames[role]}</Badge>;
}

/** The roles that the viewer may grant: none above their own. */
function RoleSelect({ site, value }: { readonly site: Site; readonly value: string | null }) {
  const given = roles.filter((role) => site.viewer !== null && !outranks(role, site.viewer.role));
  return (
    <Select
      name="role"
      label="Role"
      value={value}
      options={given.map((role) => [role, roleNames[role]] as const)}
    />
  );
}

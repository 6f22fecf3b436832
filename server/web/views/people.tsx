import { readableSize } from '../../../routers/embed.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field, Select } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import { Heading, Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Badge, Card, Facts, Figure, Person, Time } from '../components/parts.js';
import { type Column, Table } from '../components/table.js';
import { count, plural } from '../format.js';
import type { FullUser, Paged, Role, UserSummary } from '../records.js';
import type { Site } from '../site.js';
import { Search } from './filter.js';
import { query } from './library.js';

const roles: readonly Role[] = ['OWNER', 'ADMIN', 'MODERATOR', 'USER', 'TESTER', 'GUEST', 'BANNED'];

const roleNames: Readonly<Record<Role, string>> = {
  OWNER: 'Owner',
  ADMIN: 'Administrator',
  MODERATOR: 'Moderator',
  USER: 'User',
  TESTER: 'Tester',
  GUEST: 'Guest, reads only',
  BANNED: 'Banned',
  DELETED: 'Deleted',
};

const userColumns: readonly Column<UserSummary & { readonly email: string | null }>[] = [
  {
    head: 'Person',
    cell: (user) => (
      <a href={`/web/admin/users/${user.uid}`}>
        <Person user={user} />
      </a>
    ),
  },
  { head: 'E-mail', cell: (user) => user.email },
  { head: 'Role', cell: (user) => <RoleBadge role={user.role} /> },
  { head: 'Since', cell: (user) => <Time at={user.createdAt} /> },
];

/** Every account. */
export function UsersPage({
  site,
  list,
  search,
  state = untouched,
}: {
  readonly site: Site;
  readonly list: Paged<UserSummary & { readonly email: string | null }>;
  readonly search: string;
  readonly state?: FormState | undefined;
}) {
  return (
    <Page site={site} title="People">
      <Heading title="People" lead={plural(list.total, 'account')} />
      <Search action="/web/admin/users" search={search} label="Search names and addresses" />
      <Card>
        <Table caption="Accounts" columns={userColumns} rows={list.items} rowKey={(user) => user.uid} />
      </Card>
      <Pager list={list} href={(page) => `/web/admin/users?${query({ search, page })}`} />
      <Card title="New account" hint="Active at once, without an invite and without a mail.">
        <Form action="/web/admin/users" state={state}>
          <div class="pair">
            <Field
              name="username"
              label="User name"
              error={state.errors.username}
              value={state.values.username ?? null}
              autocomplete="off"
              required
            />
            <Field
              name="email"
              type="email"
              label="E-mail address"
              error={state.errors.email}
              value={state.values.email ?? null}
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
            <RoleSelect value="USER" />
          </div>
          <Submit icon="plus">Create</Submit>
        </Form>
      </Card>
    </Page>
  );
}

/** One account, and what may be changed of it. */
export function UserPage({
  site,
  user,
  mayChange,
  state = untouched,
}: {
  readonly site: Site;
  readonly user: FullUser;
  /** Only a higher role changes an account. */
  readonly mayChange: boolean;
  readonly state?: FormState | undefined;
}) {
  const path = `/web/admin/users/${user.uid}`;
  return (
    <Page site={site} title={user.username}>
      <Heading title={<Person user={user} />} lead={<RoleBadge role={user.role} />}>
        <LinkButton href={`/web/admin/content?${query({ uid: user.uid })}`} icon="search">
          Content
        </LinkButton>
      </Heading>
      <div class="figures">
        <Figure label="Uploads" value={count(user.stats.totalUploads)} />
        <Figure label="Pastes" value={count(user.stats.pastesCreated)} />
        <Figure label="Links" value={count(user.stats.urlsShortened)} />
        <Figure label="Storage" value={readableSize(user.stats.storageUsed)} />
      </div>
      <Card title="Account">
        <Facts
          of={[
            ['Number', String(user.uid)],
            ['Since', <Time key="since" at={user.createdAt} />],
            ['Invited by', user.invitedBy && <Person key="by" user={user.invitedBy} />],
          ]}
        />
        {mayChange && (
          <Form action={path} state={state}>
            <div class="pair">
              <Field
                name="username"
                label="User name"
                value={user.username}
                error={state.errors.username}
                autocomplete="off"
              />
              <Field
                name="email"
                type="email"
                label="E-mail address"
                value={user.email}
                error={state.errors.email}
                autocomplete="off"
              />
              <RoleSelect value={user.role} />
              <Field
                name="password"
                type="password"
                label="New password"
                error={state.errors.password}
                minLength={8}
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
          hint="For somebody who has lost their device and the recovery codes. Be sure who is asking."
        >
          <Form action={path}>
            <Submit look="quiet" name="action" value="one-step">
              Turn it off
            </Submit>
          </Form>
        </Card>
      )}
      {mayChange && (
        <Card title="Delete the account" hint="Its uploads, pastes and links go with it.">
          <Form action={path}>
            <Field
              name="confirm"
              label={`Type ${user.username} to confirm`}
              error={state.errors.confirm}
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

function RoleBadge({ role }: { readonly role: Role }) {
  const look =
    role === 'BANNED' || role === 'DELETED' ? 'bad' : role === 'OWNER' || role === 'ADMIN' ? 'good' : 'plain';
  return <Badge look={look}>{roleNames[role]}</Badge>;
}

function RoleSelect({ value }: { readonly value: Role }) {
  return (
    <Select
      name="role"
      label="Role"
      value={value}
      options={roles.map((role) => [role, roleNames[role]] as const)}
    />
  );
}

import { readableSize } from '../../../routers/embed.js';
import { KIND_NAMES } from '../../../routers/kinds.js';
import { listPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { Form, stateOf, typed, untouched, wrongPassword } from '../components/form/form.js';
import { ItemFigures } from '../components/item/item-figures.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Facts, Figure, Person, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { FullUser } from '../records.js';
import { PendingBadge, RoleBadge, RoleSelect } from './role.js';

/** One account, with what may be changed. */
export function UserPage({
  site,
  user,
  mayChange,
  state = untouched,
}: FormPageProps<{
  readonly user: FullUser;
  /** Only someone with a higher role may change an account. */
  readonly mayChange: boolean;
}>) {
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

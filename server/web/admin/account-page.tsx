import { KIND_NAMES } from '../../../routers/base/kinds.js';
import { t } from '../../../routers/base/language/i18n.js';
import { isAdmin } from '../../../routers/base/roles.js';
import { listPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Check } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, stateOf, typed, untouched } from '../components/form/form.js';
import { AccountPassword } from '../components/form/passwords.js';
import { ItemFigures } from '../components/item/item-figures.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Facts, Figure, Person, Time } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { AdministeredUser } from '../records.js';
import { Activate, PendingBadge, RoleBadge, RoleSelect } from './role.js';

/** One account, with what may be changed. */
export function UserPage({
  site,
  user,
  mayChange,
  state = untouched,
}: FormPageProps<{
  readonly user: AdministeredUser;
  /** Only someone with a higher role may change an account. */
  readonly mayChange: boolean;
}>) {
  const path = `/web/admin/users/${user.uid}`;
  const saved = stateOf(state, 'save');
  const deletion = stateOf(state, 'delete');
  const { field, box } = bind(saved);
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
        {!isAdmin(user.role) && (
          <LinkButton href={`/web/admin/users/${user.uid}/limits`} icon="gauge">
            {t('Limits and pause')}
          </LinkButton>
        )}
        <LinkButton href={listPath('/web/admin/content', { uid: user.uid })} icon="grid">
          {t('Content')}
        </LinkButton>
        <LinkButton href={listPath('/web/admin/audit', { uid: user.uid })} icon="scroll">
          {t('Audit log')}
        </LinkButton>
      </Heading>
      <div class="figures">
        <ItemFigures of={(kind) => user.stats[KIND_NAMES[kind].counter]} />
        <Figure label={t('Storage')} value={fileSize(user.stats.storageUsed)} />
      </div>
      <div class="columns uneven">
        {mayChange && (
          <Card title={t('Account')}>
            <Form action={path} state={saved}>
              {(['username', 'email', 'role'] as const).map((name) => (
                <input
                  key={name}
                  type="hidden"
                  name={`shown-${name}`}
                  value={typed(saved, `shown-${name}`, user[name]) ?? ''}
                />
              ))}
              <Field {...field('username', user.username)} label={t('Username')} autocomplete="off" />
              <Field
                {...field('email', user.email)}
                type="email"
                label={t('E-mail address')}
                autocomplete="off"
              />
              <RoleSelect site={site} value={typed(saved, 'role', user.role)} />
              <details
                class="more"
                open={saved.lost.includes('password') || saved.errors.password !== undefined}
              >
                <summary>{t('New password')}</summary>
                <div class="form">
                  <AccountPassword
                    label={t('New password')}
                    state={saved}
                    required={false}
                    hint={t(
                      'Ends all sessions, replaces the API key, and removes linked accounts and the webhook.',
                    )}
                  />
                  <Check
                    {...box('endIdentities')}
                    label={t('With a new password, also end single sign-on identities')}
                  />
                  <Check
                    {...box('endPasskeys')}
                    label={t('With a new password, also remove passkeys')}
                    hint={t(
                      'Tick both if somebody else may have added one. They stay otherwise, as they may be the only way in.',
                    )}
                  />
                </div>
              </details>
              <Submit name="action" value="save">
                {t('Save')}
              </Submit>
            </Form>
          </Card>
        )}
        <div class="stack">
          {mayChange && <Waiting user={user} path={path} />}
          <Card title={t('Details')}>
            <Facts
              of={[
                [t('User ID'), String(user.uid)],
                [t('E-mail address'), mayChange ? null : user.email],
                [t('Joined'), <Time key="since" at={user.createdAt} />],
                [t('Invited by'), user.invitedBy && <Person key="by" user={user.invitedBy} />],
              ]}
            />
          </Card>
          {mayChange && user.secondFactor && (
            <Card
              title={t('Two-step sign-in')}
              hint={t(
                'For someone who has lost their device and their recovery codes. Make sure you know who is asking.',
              )}
            >
              <Form action={path} state={stateOf(state, 'one-step')}>
                <Submit look="plain" name="action" value="one-step">
                  {t('Turn off')}
                </Submit>
              </Form>
            </Card>
          )}
          {mayChange && (
            <Card title={t('Delete account')} hint={t('Its files, pastes and links are deleted with it.')}>
              <Form action={path} state={deletion}>
                <Field
                  {...bind(deletion).field('confirm')}
                  label={t('Type {username} to confirm', { username: user.username })}
                  autocomplete="off"
                  required
                />
                <Submit look="danger" icon="trash" name="action" value="delete">
                  {t('Delete')}
                </Submit>
              </Form>
            </Card>
          )}
        </div>
      </div>
    </Page>
  );
}

/** What to decide about an account that cannot sign in yet. */
function Waiting({ user, path }: { readonly user: AdministeredUser; readonly path: string }) {
  if (user.status === 'WAITING')
    return (
      <Card
        title={t('Waits to be let in')}
        hint={t('They have registered and confirmed their e-mail address. They are told what you decide.')}
      >
        <Activate user={user} />
        <Ask
          action={path}
          value="refuse"
          icon="x"
          label={t('Refuse')}
          lost={t('The account is deleted.')}
          sure={t('Yes, refuse')}
        />
      </Card>
    );
  if (user.status === 'PENDING')
    return (
      <Card
        title={t('Waiting for verification')}
        hint={t(
          'They registered, but have not confirmed their e-mail address yet. Activate the account if you know who it is.',
        )}
      >
        <Activate user={user} />
      </Card>
    );
  return null;
}

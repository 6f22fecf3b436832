import { msg, t, tc } from '../../../routers/base/language/i18n.js';
import { LinkButton, Submit } from '../components/button.js';
import { optionsOf } from '../components/form/choices.js';
import { Amount } from '../components/form/field.js';
import { bind, Form, stateOf, untouched } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Person } from '../components/parts.js';
import { moment } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { FullUser, RolePolicy, SiteEntryRules, UserPolicy } from '../records.js';
import { EntryRulesForm } from './entry-form.js';
import { LimitsLeft } from './left.js';
import { LimitsForm } from './limits-form.js';
import type { Preset } from './presets.js';

/** The roles that can sign in and have limits, with the words for their members. */
export const LIMITED_ROLES = [
  ['USER', msg('Users')],
  ['TESTER', msg('Testers')],
  ['MODERATOR', msg('Moderators')],
  ['GUEST', msg('Guests')],
] as const;

/** In addresses, what holds for every role. */
export const EVERYBODY = 'ALL';

/** The limits of one role, with links to the others. */
export function RoleLimitsPage({
  site,
  policy,
  preset,
  state = untouched,
}: FormPageProps<{ readonly policy: RolePolicy; readonly preset: Preset }>) {
  return (
    <Page site={site} title={t('Limits')}>
      <Heading
        title={t('Limits')}
        lead={t('How much accounts with this role may upload and store. Administrators have no limits.')}
      />
      <Scopes now={policy.role} />
      <Card
        title={optionsOf(LIMITED_ROLES).find(([role]) => role === policy.role)?.[1] ?? policy.role}
        hint={t(
          'An empty field is no limit. An account can have values of its own: see its page under People.',
        )}
      >
        <LimitsForm
          action={`/web/admin/limits?role=${policy.role}`}
          rules={policy.limits}
          pack={policy.filePackLimits}
          state={stateOf(state, 'limits')}
          placeholder={t('no limit')}
          empty={t('No limit')}
          preset={preset}
        />
      </Card>
      <Card
        title={t('File types and expiry')}
        hint={t('In addition to what holds for everybody, which these can only restrict further.')}
      >
        <EntryRulesForm
          action={`/web/admin/limits?role=${policy.role}`}
          rules={policy.entry}
          state={stateOf(state, 'entry')}
        />
      </Card>
    </Page>
  );
}

/** What holds for everybody: which files are accepted, and how long items live. */
export function SiteLimitsPage({
  site,
  rules,
  state = untouched,
}: FormPageProps<{ readonly rules: SiteEntryRules }>) {
  const { configured } = rules;
  const parts = [
    t('Administrators included.'),
    configured.types.length === 0
      ? ''
      : t('The configuration of this server restricts the types: {types}.', {
          types: configured.types.join(', '),
        }),
    configured.maxExpiryDays === null
      ? ''
      : t(
          'By the configuration of this server, items live at most {days, plural, one {# day} other {# days}}.',
          { days: configured.maxExpiryDays },
        ),
    configured.defaultExpiryDays === null
      ? ''
      : t(
          'By the configuration of this server, items live {days, plural, one {# day} other {# days}} unless chosen otherwise.',
          { days: configured.defaultExpiryDays },
        ),
  ].filter(Boolean);
  return (
    <Page site={site} title={t('Limits')}>
      <Heading
        title={t('Limits')}
        lead={t('Which files are accepted from everybody, and how long items live.')}
      />
      <Scopes now={EVERYBODY} />
      <Card title={t('Everybody')} hint={parts.join(' ')}>
        <EntryRulesForm
          action={`/web/admin/limits?role=${EVERYBODY}`}
          rules={rules}
          state={stateOf(state, 'entry')}
        />
      </Card>
    </Page>
  );
}

/** Links to what holds for everybody and for each role. */
function Scopes({ now }: { readonly now: string }) {
  return (
    <nav class="actions" aria-label={t('For whom')}>
      {[[EVERYBODY, t('Everybody')] as const, ...optionsOf(LIMITED_ROLES)].map(([scope, label]) => (
        <LinkButton
          key={scope}
          href={`/web/admin/limits?role=${scope}`}
          look={scope === now ? 'primary' : 'plain'}
        >
          {label}
        </LinkButton>
      ))}
    </nav>
  );
}

/** What one account may do otherwise than its role, what it has used, and its pause. */
export function UserLimitsPage({
  site,
  user,
  policy,
  preset,
  state = untouched,
}: FormPageProps<{ readonly user: FullUser; readonly policy: UserPolicy; readonly preset: Preset }>) {
  const path = `/web/admin/users/${user.uid}/limits`;
  const pause = stateOf(state, 'pause', 'resume');
  const { field } = bind(pause);
  return (
    <Page site={site} title={t('Limits of {username}', { username: user.username })}>
      <Heading title={<Person user={user} />} lead={t('Limits and pause of this account')}>
        <LinkButton href={`/web/admin/users/${user.uid}`} icon="left">
          {t('Account')}
        </LinkButton>
      </Heading>
      <Card
        title={tc('noun', 'Pause')}
        hint={t('A paused account can sign in and read, but not create, change or delete anything.')}
      >
        {policy.paused && (
          <p>
            <Badge look="warn" icon="lock">
              {policy.pausedUntil === null
                ? t('Paused')
                : t('Paused until {pausedUntil}', { pausedUntil: moment(policy.pausedUntil) })}
            </Badge>
          </p>
        )}
        <Form action={path} state={pause}>
          <Amount
            {...field('hours')}
            label={t('For how many hours')}
            error={pause.errors.durationMinutes}
            hint={t('Leave it empty to pause until you end it.')}
          />
          <div class="actions">
            <Submit look="danger" icon="lock" name="action" value="pause">
              {t('Pause')}
            </Submit>
            {policy.paused && (
              <Submit look="plain" name="action" value="resume" unchecked>
                {t('End the pause')}
              </Submit>
            )}
          </div>
        </Form>
      </Card>
      <LimitsLeft limits={policy} title={t('What is left for this account')} />
      <Card title={t('Its own limits')} hint={t('An empty field means that the limit of its role holds.')}>
        <LimitsForm
          action={path}
          rules={policy.overrides}
          pack={policy.filePackOverrides}
          state={stateOf(state, 'limits')}
          placeholder={t('as its role')}
          empty={t('As its role')}
          preset={preset}
        />
      </Card>
    </Page>
  );
}

import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { SETTING_GROUPS, type SettingGroup } from '../../../routers/base/ports/installation.js';
import type { SettingRecord } from '../../../routers/features/settings/public.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { ActionForm, bind, Form, type FormState, stateOf, untouched } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, CopyField } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { Site } from '../site.js';
import { Setting, SettingFacts } from './setting-field.js';

const PATH = '/web/admin/settings';

const TITLES: Readonly<Record<SettingGroup, Message>> = {
  accounts: msg('Registration and sign-in'),
  oidc: msg('Sign-in with other services'),
  mail: msg('Sending mail'),
  addresses: msg('Short addresses'),
  origins: msg('Other front ends'),
  doors: msg('Clients of other products'),
  reading: msg('Reading'),
  notifications: msg('Notifications'),
};

/** What the last test found. */
export interface Tried {
  readonly good: string;
}

/** What administrators set instead of variables, in one form for each group. */
export function SettingsPage({
  site,
  settings,
  isOwner,
  tried = null,
  state = untouched,
}: FormPageProps<{
  readonly settings: readonly SettingRecord[];
  readonly isOwner: boolean;
  readonly tried?: Tried | null;
}>) {
  const shown = SETTING_GROUPS.map(
    (group) => [group, settings.filter((setting) => setting.group === group)] as const,
  ).filter(([, all]) => all.length > 0);
  return (
    <Page site={site} title={t('Settings of this installation')}>
      <Heading
        title={t('Settings of this installation')}
        lead={t('In effect at once, in every process. What the environment of the server says wins.')}
      />
      <nav class="chips" aria-label={t('Settings of this installation')}>
        {shown.map(([group]) => (
          <a key={group} href={`#${group}`}>
            {translateMessage(TITLES[group])}
          </a>
        ))}
      </nav>
      {tried !== null && (
        <p class="notice" role="status">
          {tried.good}
        </p>
      )}
      {shown.map(([group, all]) => (
        <Card key={group} id={group} title={translateMessage(TITLES[group])}>
          {isOwner || !['mail', 'oidc', 'origins'].includes(group) ? (
            <Group site={site} group={group} settings={all} state={state} />
          ) : (
            <>
              <p class="hint">{t('Only an owner can change these.')}</p>
              <SettingFacts of={all} />
            </>
          )}
        </Card>
      ))}
    </Page>
  );
}

function Group({
  site,
  group,
  settings,
  state,
}: {
  readonly site: Site;
  readonly group: SettingGroup;
  readonly settings: readonly SettingRecord[];
  readonly state: FormState;
}) {
  const own = stateOf(state, group);
  // Of a provider that is not used here.
  const mailgun = settings.filter(({ name }) => name.startsWith('MAILGUN_'));
  const rare = mailgun.some(({ set }) => set) ? [] : mailgun;
  const isFree = settings.some(({ fixed }) => !fixed);
  return (
    <>
      <Form action={PATH} state={own} files>
        <div class="pair">
          {settings
            .filter((setting) => !rare.includes(setting))
            .map((setting) => (
              <Setting key={setting.name} setting={setting} state={own} />
            ))}
        </div>
        {rare.length > 0 && (
          <details class="more" open={rare.some(({ name }) => own.errors[name] !== undefined)}>
            <summary>{t('Only for Mailgun')}</summary>
            <div class="pair">
              {rare.map((setting) => (
                <Setting key={setting.name} setting={setting} state={own} />
              ))}
            </div>
          </details>
        )}
        {isFree && (
          <Submit name="action" value={group}>
            {t('Save')}
          </Submit>
        )}
      </Form>
      {group === 'mail' && (
        <ActionForm action={`${PATH}/test-mail`} actions>
          {t('Send me a test mail')}
        </ActionForm>
      )}
      {group === 'oidc' && <Providers site={site} settings={settings} state={state} />}
    </>
  );
}

/** What has to be registered at each provider, whether a sign-in could work, and another one. */
function Providers({
  site,
  settings,
  state,
}: {
  readonly site: Site;
  readonly settings: readonly SettingRecord[];
  readonly state: FormState;
}) {
  const all = settings.find(({ name }) => name === 'OIDC_PROVIDERS');
  const adding = stateOf(state, 'add-oidc');
  const { field } = bind(adding);
  return (
    <>
      {providersIn(all?.value ?? '').map((name) => (
        <section key={name}>
          <h3 dir="auto">{name}</h3>
          <CopyField
            label={t('Address to return to, for the settings of {name}', { name })}
            value={`${site.origin}/v1/auth/oidc/${name}/callback`}
          />
          <ActionForm action={`${PATH}/test-oidc`} fields={{ name }} actions>
            {t('Test {name}', { name })}
          </ActionForm>
        </section>
      ))}
      {all?.fixed === false && (
        <details class="more" open={Object.keys(adding.values).length > 0}>
          <summary>{t('Add a service')}</summary>
          <Form action={PATH} state={adding}>
            <div class="pair">
              <Field {...field('newName')} label={t('Name')} placeholder="company" maxLength={32} required />
              <Field
                {...field('newIssuer')}
                label={t('Issuer')}
                placeholder="https://id.example.org"
                spellcheck={false}
                required
              />
              <Field {...field('newClientId')} label={t('Client ID')} spellcheck={false} required />
              <Field
                name="newSecret"
                type="password"
                label={t('Client secret')}
                hint={t('Empty for a public client.')}
                autocomplete="new-password"
              />
            </div>
            <Submit name="action" value="add-oidc">
              {t('Add')}
            </Submit>
          </Form>
        </details>
      )}
    </>
  );
}

/** The names in the list of providers. */
export const providersIn = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);

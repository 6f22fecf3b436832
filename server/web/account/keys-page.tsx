import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { listPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Check } from '../components/form/choices.js';
import { LastDay } from '../components/form/date.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState, untouched } from '../components/form/form.js';
import { Pager } from '../components/list/pager.js';
import { Badge, Card, CopyField, Empty, Time } from '../components/parts.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import type { NamedKeyRecord, Paged } from '../records.js';
import { rich } from '../rich.js';
import { MainKeyCard } from './key-card.js';
import { SCOPE_LABELS } from './scope-words.js';
import { Settings } from './settings.js';

/** Where named keys are managed. */
export const KEYS_PATH = '/web/settings/security/keys';

/** What a key can be allowed to do, by the scope that allows it, and what else that means. */
export type ScopeChoice = readonly [scope: string, label: Message, hint: Message | undefined];

/** The keys of the account, and a form for another one. */
export function KeysPage({
  site,
  apiKey,
  keys,
  choices,
  state = untouched,
}: FormPageProps<{
  /** The main key; null if it is switched off. */
  readonly apiKey: string | null;
  readonly keys: Paged<NamedKeyRecord>;
  readonly choices: readonly ScopeChoice[];
}>) {
  return (
    <Settings
      site={site}
      title={t('API keys')}
      lead={t('Give each tool its own key. You can delete one without breaking the others.')}
    >
      <Card title={t('Named keys')}>
        {keys.items.length === 0 ? (
          <Empty icon="key" title={t('No named keys yet')} />
        ) : (
          <ul class="rows">
            {keys.items.map((key) => (
              <KeyRow key={key.id} entry={key} />
            ))}
          </ul>
        )}
        <Pager list={keys} href={(number) => listPath(KEYS_PATH, { page: number })} />
      </Card>
      <Card title={t('New key')}>
        <Form action={KEYS_PATH} state={state} files>
          <KeyFields state={state} choices={choices} />
          <Submit>{t('Create key')}</Submit>
        </Form>
      </Card>
      <MainKeyCard apiKey={apiKey} />
    </Settings>
  );
}

/** A named key in a list, with what it may do. */
function KeyRow({ entry }: { readonly entry: NamedKeyRecord }) {
  const over = entry.expiresAt !== null && Date.parse(entry.expiresAt) <= Date.now();
  return (
    <li>
      <span class="what">
        <a href={`${KEYS_PATH}/${entry.id}`} dir="auto">
          {entry.name}
        </a>{' '}
        {over && <Badge look="bad">{t('Expired')}</Badge>}{' '}
        {entry.createOnly && <Badge>{t('Only creates')}</Badge>}{' '}
        {entry.asVisitor && <Badge>{t('Sees only what strangers see')}</Badge>}
        <br />
        <span class="hint">
          <code>{entry.prefix}…</code> ·{' '}
          {entry.scopes.map((scope) => translateMessage(SCOPE_LABELS[scope])).join(', ')}
          <br />
          {entry.lastUsedAt === null
            ? t('never used')
            : rich('last used {time} from {lastUsedIp}', {
                time: <Time at={entry.lastUsedAt} />,
                lastUsedIp: entry.lastUsedIp,
              })}
          {entry.expiresAt !== null && (
            <>
              {' '}
              · {over ? t('expired') : t('expires')} <Time at={entry.expiresAt} />
            </>
          )}
        </span>
      </span>
      <LinkButton href={`${KEYS_PATH}/${entry.id}`} look="quiet">
        {t('Change')}
      </LinkButton>
    </li>
  );
}

/** One named key, to change or delete it. */
export function KeyPage({
  site,
  entry,
  choices,
  state = untouched,
}: FormPageProps<{ readonly entry: NamedKeyRecord; readonly choices: readonly ScopeChoice[] }>) {
  const path = `${KEYS_PATH}/${entry.id}`;
  return (
    <Settings site={site} title={entry.name} lead={t('A named API key')}>
      <Card title={t('What it may do')}>
        <Form action={path} state={state} files>
          <KeyFields state={state} choices={choices} entry={entry} />
          <div class="actions">
            <Submit name="action" value="change">
              {t('Save')}
            </Submit>
            <LinkButton href={KEYS_PATH} look="quiet">
              {t('Back')}
            </LinkButton>
          </div>
        </Form>
      </Card>
      <Card title={t('Delete')}>
        <Ask
          action={path}
          value="delete"
          label={t('Delete this key')}
          lost={t(
            'It stops working immediately and for good. Tools that use it stop working until you give them another one.',
          )}
          sure={t('Yes, delete the key')}
        />
      </Card>
    </Settings>
  );
}

/** A new key, shown only this once. */
export function NewKeyPage({
  site,
  name,
  apiKey,
}: PageProps<{ readonly name: string; readonly apiKey: string }>) {
  return (
    <Settings site={site} title={name} lead={t('A new named API key')}>
      <Card
        title={t('Copy it now')}
        hint={t('It will not be shown again: only a fingerprint of it is stored.')}
      >
        <CopyField label={t('API key')} value={apiKey} />
        <div class="actions">
          <LinkButton href={KEYS_PATH} look="primary">
            {t('I have saved it')}
          </LinkButton>
        </div>
      </Card>
    </Settings>
  );
}

function KeyFields({
  state,
  choices,
  entry,
}: {
  readonly state: FormState;
  readonly choices: readonly ScopeChoice[];
  readonly entry?: NamedKeyRecord;
}) {
  const { field, box } = bind(state);
  return (
    <>
      <Field
        {...field('name', entry?.name)}
        label={t('Name')}
        hint={t('Where it is used, such as the name of a device')}
        maxLength={60}
        required
      />
      <fieldset>
        <legend>{t('Permissions')}</legend>
        {state.errors.scopes && <p class="error">{state.errors.scopes}</p>}
        {choices.map(([scope, label, hint]) => (
          <Check
            {...box('scopes', entry?.scopes.some((granted) => granted === scope) ?? false, scope)}
            key={scope}
            id={scope}
            label={translateMessage(label)}
            hint={hint && translateMessage(hint)}
          />
        ))}
      </fieldset>
      <LastDay {...field('expiresAt', entry?.expiresAt)} label={t('Expires')} />
      <Check
        {...box('createOnly', entry?.createOnly ?? false)}
        label={t('Only to create things')}
        hint={t('For upload tools: it cannot read, change or delete what you have.')}
      />
      <Check
        {...box('asVisitor', entry?.asVisitor ?? false)}
        label={t('Sees only what strangers see')}
        hint={t("For the server of a separate portal: it opens items with a stranger's rights.")}
      />
    </>
  );
}

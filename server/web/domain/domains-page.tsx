import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { PROOF_PATH } from '../../../routers/base/ports/domain-proof.js';
import { Settings } from '../account/settings.js';
import { Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Badge, Card, CopyField, Empty, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { DomainRecord } from '../records.js';
import { rich } from '../rich.js';

/** Where the domains of an account are. */
export const DOMAINS_PATH = '/web/settings/domains';

type State = DomainRecord['state'];

/** The words for the states of a domain. */
export const DOMAIN_STATES: Readonly<Record<string, Message>> = {
  pending: msg('Not proven yet'),
  waiting: msg('Waits for an administrator'),
  active: msg('Active'),
  paused: msg('Paused: its proof is gone'),
};

/** The state of a domain in words. */
export function DomainState({ state }: { readonly state: State }) {
  const look = state === 'active' ? 'good' : state === 'paused' ? 'bad' : 'plain';
  return <Badge look={look}>{translateMessage(DOMAIN_STATES[state] ?? msg('Not proven yet'))}</Badge>;
}

/** The hosts of an account: how each is proven, where its unknown ids lead, and a form for another one. */
export function DomainsPage({
  site,
  domains,
  state = untouched,
}: FormPageProps<{ readonly domains: readonly DomainRecord[] }>) {
  const { field } = bind(state);
  return (
    <Settings
      site={site}
      title={t('Domains')}
      lead={t('Short links under a name of your own, like go.example.com/offer.')}
    >
      {domains.length === 0 && <Empty icon="globe" title={t('No domains yet')} />}
      {domains.map((domain) => (
        <DomainCard key={domain.host} domain={domain} />
      ))}
      <Card title={t('New domain')}>
        <Form action={DOMAINS_PATH} state={state}>
          <Field
            {...field('host')}
            label={t('Host')}
            placeholder="go.example.com"
            inputMode="url"
            spellcheck={false}
            required
          />
          <Submit name="action" value="add">
            {t('Add')}
          </Submit>
        </Form>
      </Card>
    </Settings>
  );
}

function DomainCard({ domain }: { readonly domain: DomainRecord }) {
  const { host, token, state, checkedAt } = domain;
  const path = `${DOMAINS_PATH}/${host}`;
  return (
    <Card title={host}>
      <p>
        <DomainState state={state} />{' '}
        {checkedAt !== null && (
          <span class="hint">{rich('checked {time}', { time: <Time at={checkedAt} /> })}</span>
        )}
      </p>
      {state !== 'active' && (
        <>
          <p>
            {t(
              'Show that the name is yours: add this TXT record to its DNS, or let the name lead to this server. Then check.',
            )}
          </p>
          <CopyField label={t('TXT record')} value={`holdall=${token}`} />
          <p class="hint">{t('What the server then answers at {path}', { path: `${PROOF_PATH}${token}` })}</p>
        </>
      )}
      <Form action={path}>
        <Field
          name={`fallback-${host}`}
          value={domain.fallbackUrl ?? ''}
          label={t('Where unknown addresses lead')}
          inputMode="url"
          spellcheck={false}
        />
        <div class="actions">
          <Submit name="action" value="save">
            {t('Save')}
          </Submit>
          <Submit look="quiet" name="action" value="check">
            {t('Check now')}
          </Submit>
        </div>
      </Form>
      <Ask
        action={path}
        value="remove"
        label={t('Remove this domain')}
        lost={t('Its links stay in your list, but cannot be reached until you add the domain again.')}
        sure={t('Yes, remove the domain')}
      />
    </Card>
  );
}

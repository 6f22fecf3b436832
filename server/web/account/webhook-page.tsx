import { KINDS } from '../../../routers/base/kinds.js';
import { msg, t, translate, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { localizableOfRule } from '../../../routers/base/language/rules.js';
import type { WebhookEventType } from '../../../routers/base/ports/outbound.js';
import { Submit } from '../components/button.js';
import { Check, Select } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Badge, Card, Time } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { FormPageProps } from '../page-props.js';
import type { WebhookSettings } from '../records.js';
import { Settings } from './settings.js';

const events = [
  ...KINDS.flatMap((kind) => Object.entries(KIND_WORDS[kind].events)),
  ['collection.opened', msg('Collection opened')],
  ['request.received', msg('A file came in by a request link')],
  ['mail.received', msg('A mail came into a mailbox')],
] as readonly (readonly [WebhookEventType, Message])[];

/** The formats that are called as the service that reads them. */
const NAMED_FORMATS = [
  ['discord', 'Discord'],
  ['slack', 'Slack'],
  ['ntfy', 'ntfy'],
  ['gotify', 'Gotify'],
  ['apprise', 'Apprise'],
] as const;

interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly at: string;
  readonly state: 'WAITING' | 'DELIVERED' | 'FAILED';
  readonly attempts: number;
  /** HTTP status of the last response. */
  readonly status: number | null;
  /** Why the last attempt got no response. */
  readonly error: string | null;
}

const deliveryStates = {
  WAITING: ['warn', msg('waiting')],
  DELIVERED: ['good', msg('delivered')],
  FAILED: ['bad', msg('failed')],
} as const;

/** The settings of the webhook, and its latest deliveries. */
export function WebhookPage({
  site,
  settings,
  deliveries,
  state = untouched,
}: FormPageProps<{
  readonly settings: WebhookSettings;
  readonly deliveries: readonly Delivery[];
}>) {
  const { field, box } = bind(state);
  return (
    <Settings site={site} title={t('Webhook')} lead={t('Notifies another service about what happens here.')}>
      <Card>
        <Form action="/web/settings/webhook" state={state} files>
          <Field
            {...field('url', settings.url)}
            label="URL"
            maxLength={1000}
            inputMode="url"
            placeholder="https://"
            hint={t('Leave empty to send nothing.')}
            spellcheck={false}
          />
          <Select
            {...field('format', settings.format)}
            label={t('Format')}
            options={[...NAMED_FORMATS, ['json', t('JSON, signed')]]}
          />
          <Field
            name="secret"
            type="password"
            label={t('Secret')}
            error={
              state.errors.secret ??
              (state.lost.includes('secret')
                ? t('Enter the secret again; for security it was not saved.')
                : null)
            }
            hint={t(
              'Signs what is sent as JSON, and is the token of ntfy and Gotify. It is never shown again; leave empty to keep the current one.',
            )}
            autocomplete="off"
          />
          <fieldset>
            <legend>{t('Events')}</legend>
            {events.map(([event, label]) => (
              <Check
                {...box('events', settings.events.includes(event), event)}
                key={event}
                id={`event-${event}`}
                label={translateMessage(label)}
              />
            ))}
          </fieldset>
          <Submit>{t('Save')}</Submit>
        </Form>
      </Card>
      {settings.url !== null && (
        <Card title={t('Test')} hint={t('Sends one event now and shows the result.')}>
          <Form action="/web/settings/webhook/test">
            <Submit look="plain" icon="pulse">
              {t('Send a test')}
            </Submit>
          </Form>
        </Card>
      )}
      {deliveries.length > 0 && (
        <Card title={t('Latest deliveries')}>
          <ul class="rows">
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        </Card>
      )}
    </Settings>
  );
}

/** What came of the last attempt. */
function outcomeOf({ error, status }: Delivery): string {
  if (error !== null) return translate(localizableOfRule(error));
  return status === null ? t('Not attempted yet') : t('Status {status}', { status });
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const [look, word] = deliveryStates[delivery.state];
  return (
    <li>
      <span class="what">
        {delivery.event} <Badge look={look}>{translateMessage(word)}</Badge>
        <br />
        <span class="hint">
          {outcomeOf(delivery)}
          {delivery.attempts > 1 && (
            <>
              {' · '}
              {t('{attempts, plural, one {# attempt} other {# attempts}}', { attempts: delivery.attempts })}
            </>
          )}
        </span>
      </span>
      <span class="hint">
        <Time at={delivery.at} />
      </span>
    </li>
  );
}

import { Submit } from '../components/button.js';
import { Check, Field, Select } from '../components/field.js';
import { Form, type FormState, ticked, typed, untouched } from '../components/form.js';
import { Badge, Card, Time } from '../components/parts.js';
import type { WebhookSettings } from '../records.js';
import type { Site } from '../site.js';

import { Settings } from './settings.js';

const events = [
  ['image.created', 'An upload was made'],
  ['image.deleted', 'An upload was deleted'],
  ['paste.created', 'A paste was made'],
  ['url.created', 'A link was made'],
  ['url.exhausted', 'A link was used up'],
] as const;

const formats = [
  ['discord', 'Discord'],
  ['slack', 'Slack'],
  ['json', 'JSON, signed'],
] as const;

/** One delivery of the outgoing webhook. */
export interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly at: string;
  readonly state: 'WAITING' | 'DELIVERED' | 'FAILED';
  readonly attempts: number;
  /** HTTP status of the last answer. */
  readonly status: number | null;
  /** Why the last attempt got no answer. */
  readonly error: string | null;
}

const deliveryStates = {
  WAITING: ['warn', 'waiting'],
  DELIVERED: ['good', 'delivered'],
  FAILED: ['bad', 'failed'],
} as const;

/** Where events are sent, and what became of the latest. */
export function WebhookPage({
  site,
  settings,
  deliveries,
  state = untouched,
}: {
  readonly site: Site;
  readonly settings: WebhookSettings;
  readonly deliveries: readonly Delivery[];
  readonly state?: FormState | undefined;
}) {
  return (
    <Settings site={site} title="Webhook" lead="Tells another service what happens here.">
      <Card>
        <Form action="/web/settings/webhook" state={state} files>
          <Field
            name="url"
            label="Address"
            value={typed(state, 'url', settings.url)}
            error={state.errors.url}
            maxLength={1000}
            inputMode="url"
            placeholder="https://"
            hint="Left empty, nothing is sent."
            spellcheck={false}
          />
          <Select
            name="format"
            label="Format"
            value={typed(state, 'format', settings.format)}
            options={formats}
          />
          <Field
            name="secret"
            type="password"
            label="Secret"
            error={
              state.errors.secret ??
              (state.lost.includes('secret') ? 'Type the secret again: it was not kept.' : null)
            }
            hint="Signs what is sent as JSON. It is never shown again; left empty, the one there stays."
            autocomplete="off"
            optional
          />
          <fieldset>
            <legend>Events</legend>
            {events.map(([event, label]) => (
              <Check
                key={event}
                name="events"
                id={`event-${event}`}
                value={event}
                label={label}
                checked={ticked(state, 'events', settings.events.includes(event), event)}
              />
            ))}
          </fieldset>
          <Submit>Save</Submit>
        </Form>
      </Card>
      {settings.url !== null && (
        <Card title="Try it" hint="Sends one event now, and tells what came back.">
          <Form action="/web/settings/webhook/test">
            <Submit look="plain" icon="pulse">
              Send a test
            </Submit>
          </Form>
        </Card>
      )}
      {deliveries.length > 0 && (
        <Card title="Latest deliveries">
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

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const [look, word] = deliveryStates[delivery.state];
  return (
    <li>
      <span class="what">
        {delivery.event} <Badge look={look}>{word}</Badge>
        <br />
        <span class="hint">
          {delivery.error ?? (delivery.status === null ? 'Not tried yet' : `Status ${delivery.status}`)}
          {delivery.attempts > 1 && `, ${delivery.attempts} tries`}
        </span>
      </span>
      <span class="hint">
        <Time at={delivery.at} />
      </span>
    </li>
  );
}

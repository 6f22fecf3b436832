import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { bind, Form, type FormState, typed } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Card } from '../components/parts.js';
import type { WebhookSettings } from '../records.js';

/** Settings for link previews of uploads, with a live preview. */
export function EmbedCards({
  settings,
  username,
  state,
}: {
  readonly settings: WebhookSettings;
  readonly username: string;
  readonly state: FormState;
}) {
  const { field, box } = bind(state);
  return (
    <div class="columns">
      <Card title={t('Embeds')} hint={t('How your uploads look when a chat app previews their link.')}>
        <Form action="/web/settings/embeds" state={state} script="embed">
          <Check {...box('enabled', settings.enabled)} label={t('Use these settings for my uploads')} />
          <Field {...field('authorName', settings.authorName)} label={t('Author name')} maxLength={200} />
          <Field {...field('title', settings.title)} label={t('Title')} maxLength={200} />
          <Field
            {...field('titleUrl', settings.titleUrl)}
            label={t('Title link')}
            maxLength={500}
            inputMode="url"
          />
          <TextArea
            {...field('description', settings.description)}
            label={t('Description')}
            maxLength={1000}
            rows={3}
          />
          <Field
            {...field('color', settings.color)}
            label={t('Colour')}
            maxLength={7}
            hint={t('#rgb, #rrggbb or random')}
            spellcheck={false}
          />
          <Submit>{t('Save')}</Submit>
        </Form>
      </Card>
      <Card
        title={t('Preview')}
        hint={t('Available placeholders: {placeholders}', {
          placeholders: '{uid} {size} {filetype} {uploader} {username} {url}',
        })}
      >
        <div class="embed" data-embed data-username={username}>
          <span class="author" data-part="authorName" dir="auto">
            {typed(state, 'authorName', settings.authorName)}
          </span>
          <span class="title" data-part="title" dir="auto">
            {typed(state, 'title', settings.title)}
          </span>
          <span class="described" data-part="description" dir="auto">
            {typed(state, 'description', settings.description)}
          </span>
          <span class="sample">
            <Icon name="image" />
          </span>
        </div>
      </Card>
    </div>
  );
}

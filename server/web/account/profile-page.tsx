import { t } from '../../../routers/base/language/i18n.js';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../../../routers/base/language/languages.js';
import type { Social } from '../../../routers/base/socials.js';
import { pictureOf } from '../address.js';
import { Submit } from '../components/button.js';
import { Select } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Card } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { FullUser } from '../records.js';
import { Settings } from './settings.js';

/** The social networks of contract §3, called as they call themselves. */
const networks: readonly (readonly [name: Social, label: string])[] = [
  ['twitter', 'X (Twitter)'],
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['discord', 'Discord'],
  ['telegram', 'Telegram'],
  ['vk', 'VK'],
  ['facebook', 'Facebook'],
  ['instagram', 'Instagram'],
  ['youtube', 'YouTube'],
  ['twitch', 'Twitch'],
  ['steam', 'Steam'],
  ['reddit', 'Reddit'],
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['snapchat', 'Snapchat'],
  ['whatsapp', 'WhatsApp'],
  ['soundcloud', 'SoundCloud'],
  ['spotify', 'Spotify'],
  ['threads', 'Threads'],
  ['messenger', 'Messenger'],
];

/** What the fields of social profiles are called, in the order of the form. */
const addresses = (): readonly (readonly [name: Social, label: string])[] => [
  ['website', t('Website')],
  ...networks,
  ['email', t('E-mail')],
];

/** The public profile: picture and social profiles. */
export function ProfilePage({
  site,
  user,
  language,
  state = untouched,
}: FormPageProps<{
  readonly user: FullUser;
  /** The chosen one; null: as the browser asks. */
  readonly language: Language | null;
}>) {
  const { field } = bind(state);
  return (
    <Settings site={site} title={t('Profile')}>
      <Card title={t('Profile picture')}>
        <Form action="/web/settings/avatar" files>
          <div class="portrait">
            <img src={pictureOf(user)} alt={t('How others see you')} width="72" height="72" />
            <div class="field">
              <label for="file">{t('New picture')}</label>
              <input id="file" type="file" name="file" accept="image/*" required />
            </div>
          </div>
          <Submit look="plain" icon="upload">
            {t('Upload')}
          </Submit>
        </Form>
      </Card>
      <Card title={t('Language')} hint={t('Of pages and of the mails that you get.')}>
        <Form action="/web/settings/language">
          <Select
            name="language"
            label={t('Language')}
            value={language}
            options={[
              ['', t('As my browser asks')],
              ...LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const),
            ]}
          />
          <Submit look="plain">{t('Set language')}</Submit>
        </Form>
      </Card>
      <Card
        title={t('Social profiles')}
        hint={t('Apps that show your profile can read these. Leave empty what you do not want to share.')}
      >
        <details class="more" open={state !== untouched || Object.values(user.socials).some(Boolean)}>
          <summary>{t('Edit')}</summary>
          <Form action="/web/settings" state={state}>
            <div class="pair">
              {addresses().map(([name, label]) => (
                <Field
                  {...field(name, user.socials[name])}
                  key={name}
                  label={label}
                  maxLength={200}
                  spellcheck={false}
                />
              ))}
            </div>
            <Submit>{t('Save')}</Submit>
          </Form>
        </details>
      </Card>
    </Settings>
  );
}

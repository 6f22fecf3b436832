import type { Social } from '../../../routers/socials.js';
import { pictureOf } from '../address.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, typed, untouched } from '../components/form.js';
import { Card } from '../components/parts.js';
import type { FullUser } from '../records.js';
import type { Site } from '../site.js';

import { Settings } from './settings.js';

/** Names of the social networks of contract §3, with what is asked for. */
const networks: readonly (readonly [name: Social, label: string])[] = [
  ['website', 'Website'],
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
  ['email', 'E-mail'],
  ['messenger', 'Messenger'],
];

/** Who one is to others: picture and where else one is found. */
export function ProfilePage({
  site,
  user,
  state = untouched,
}: {
  readonly site: Site;
  readonly user: FullUser;
  readonly state?: FormState | undefined;
}) {
  return (
    <Settings site={site} title="Profile">
      <Card title="Picture">
        <Form action="/web/settings/avatar" files>
          <div class="portrait">
            <img src={pictureOf(user)} alt="As others see you" width="72" height="72" />
            <div class="field">
              <label for="file">A new picture</label>
              <input id="file" type="file" name="file" accept="image/*" required />
            </div>
          </div>
          <Submit look="plain" icon="upload">
            Use it
          </Submit>
        </Form>
      </Card>
      <Card
        title="Elsewhere"
        hint="Programs that show your profile read these. Leave empty what others need not know."
      >
        <Form action="/web/settings" state={state}>
          <div class="pair">
            {networks.map(([name, label]) => (
              <Field
                key={name}
                name={name}
                label={label}
                value={typed(state, name, user.socials[name])}
                error={state.errors[name]}
                maxLength={200}
                spellcheck={false}
              />
            ))}
          </div>
          <Submit>Save</Submit>
        </Form>
      </Card>
    </Settings>
  );
}

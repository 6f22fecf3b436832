import { t } from '../../../routers/base/language/i18n.js';
import { untouched } from '../components/form/form.js';
import type { FormPageProps } from '../page-props.js';
import type { MediaSettings, UrlSettings, WebhookSettings } from '../records.js';
import { EmbedCards } from './embed-cards.js';
import { LinkCard } from './link-card.js';
import { Settings } from './settings.js';
import { UploadCard } from './upload-card.js';

/** The address of the settings about what others get. */
export const SHARING_PATH = '/web/settings/sharing';

/** What others get of new uploads: which link, what is in it, and how it looks. The state is that of the embeds. */
export const SharingPage = ({
  site,
  links,
  weekly,
  uploads,
  embeds,
  username,
  state = untouched,
}: FormPageProps<{
  readonly links: UrlSettings;
  /** A mail tells once a week which targets do not answer. */
  readonly weekly: boolean;
  readonly uploads: MediaSettings;
  readonly embeds: WebhookSettings;
  readonly username: string;
}>) => (
  <Settings site={site} title={t('Sharing')} scripts={['embed']}>
    <LinkCard settings={links} weekly={weekly} />
    <UploadCard settings={uploads} />
    <EmbedCards settings={embeds} username={username} state={state} />
  </Settings>
);

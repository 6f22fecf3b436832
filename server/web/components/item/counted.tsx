import { t } from '../../../../routers/base/language/i18n.js';
import { here, withQuery } from '../../address.js';
import { kindOf } from '../../image/media-kind.js';
import type { ListedImage } from '../../records.js';
import { LinkButton, Submit } from '../button.js';
import { Icon } from '../icon.js';

/** Remaining views of an item with a view limit. */
const leftOf = ({ maxViews, views }: ListedImage): number => Math.max(0, (maxViews ?? 0) - (views ?? 0));

/** Whether the item is video or audio, which players fetch in several requests. */
const isPlayed = (image: ListedImage): boolean => ['video', 'audio'].includes(kindOf(image));

const downloadOf = (image: ListedImage, password: string | null): string =>
  withQuery(here(image.urlSet.rawUrl), { password, download: 'true' });

/**
 * Shown in place of an item with a view limit: showing it uses a view, so readers decide themselves, and a link preview
 * cannot use one up. For video and audio a download is suggested, which always uses exactly one view.
 */
export function ViewGate({
  image,
  action,
}: {
  readonly image: ListedImage;
  readonly action: string | undefined;
}) {
  const left = leftOf(image);
  const played = isPlayed(image);
  return (
    <div class="stage">
      <form class="file" method="post" action={action}>
        <Icon name="eye" />
        <p>{t('This can be viewed {left, plural, =1 {one more time} other {# more times}}.', { left })}</p>
        {played && (
          <>
            <p class="hint">{t('Playing it may use several views. Downloading it uses only one.')}</p>
            <LinkButton href={downloadOf(image, null)} icon="download" look="primary">
              {t('Download')}
            </LinkButton>
          </>
        )}
        <Submit icon="eye" look={played ? 'plain' : 'primary'}>
          {t('Show it')}
        </Submit>
      </form>
    </div>
  );
}

/**
 * Links to download the file or open the original. Where views are `counted`, each link uses one, which is said beside
 * them. Nothing is shown if the page itself takes the last view.
 */
export function TakeAlong({
  image,
  password,
  counted,
  beside,
}: {
  readonly image: ListedImage;
  readonly password: string | null;
  /** Whether the views of this reader count. */
  readonly counted: boolean;
  /** The page answers a form and cannot be returned to, so links open in a new tab. */
  readonly beside: boolean;
}) {
  // The image on this page takes its view after this is rendered.
  const left = leftOf(image) - (kindOf(image) === 'image' ? 1 : 0);
  if (counted && left <= 0) return null;
  return (
    <div class="actions">
      {counted && (
        <span class="hint">
          {isPlayed(image)
            ? t(
                '{left, plural, one {# view} other {# views}} left. Opening or downloading the file uses one; playing it may use several.',
                { left },
              )
            : t(
                '{left, plural, one {# view} other {# views}} left. Opening or downloading the file uses one.',
                { left },
              )}
        </span>
      )}
      <LinkButton href={downloadOf(image, password)} icon="download" beside={beside}>
        {t('Download')}
      </LinkButton>
      <LinkButton
        href={withQuery(here(image.urlSet.rawUrl), { password, raw: 'true' })}
        icon="external"
        look="quiet"
        beside={beside}
      >
        {t('Original')}
      </LinkButton>
    </div>
  );
}

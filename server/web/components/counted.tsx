import { here, withQuery } from '../address.js';
import { count, plural } from '../format.js';
import { kindOf } from '../media-kind.js';
import type { ListedImage } from '../records.js';
import { LinkButton, Submit } from './button.js';
import { Icon } from './icon.js';

/** Views that an item with counted ones has left. */
const leftOf = ({ maxViews, views }: ListedImage): number => Math.max(0, (maxViews ?? 0) - (views ?? 0));

/** Whether an item is played, which takes its bytes in parts. */
const isPlayed = (image: ListedImage): boolean => ['video', 'audio'].includes(kindOf(image));

const downloadOf = (image: ListedImage, password: string | null): string =>
  withQuery(here(image.urlSet.rawUrl), { password, download: 'true' });

/**
 * Stands where an item with counted views will be: showing it uses one up, so that is a reader's own decision
 * and nothing that loads the page can take it. What is played is rather downloaded: that takes one view for certain.
 */
export function ViewGate({ image, action }: { readonly image: ListedImage; readonly action: string }) {
  const left = leftOf(image);
  const played = isPlayed(image);
  return (
    <div class="stage">
      <form class="file" method="post" action={action}>
        <Icon name="eye" />
        <p>
          {left === 1
            ? 'This can be looked at once more.'
            : `This can be looked at ${count(left)} more times.`}
        </p>
        {played && (
          <>
            <p class="hint">A player may use several views; download it to use one.</p>
            <LinkButton href={downloadOf(image, null)} icon="download" look="primary">
              Download
            </LinkButton>
          </>
        )}
        <Submit icon="eye" look={played ? 'plain' : 'primary'}>
          Show it
        </Submit>
      </form>
    </div>
  );
}

/**
 * The bytes, to keep and as they are. Where they are `counted` each of these takes a view: that is said, and when
 * what stands on the page takes the last one, there is nothing here.
 */
export function TakeAlong({
  image,
  password,
  counted,
  beside,
}: {
  readonly image: ListedImage;
  readonly password: string | null;
  /** The reader's views count. */
  readonly counted: boolean;
  /** The page answers a form: one could not come back to it, so links open beside it. */
  readonly beside: boolean;
}) {
  // A picture on the page takes its view after this was written.
  const left = leftOf(image) - (kindOf(image) === 'image' ? 1 : 0);
  if (counted && left <= 0) return null;
  return (
    <>
      {counted && (
        <span class="hint">
          {plural(left, 'view')} left, and each of these uses one
          {isPlayed(image) && '; a player may use several'}
        </span>
      )}
      <LinkButton href={downloadOf(image, password)} icon="download" beside={beside}>
        Download
      </LinkButton>
      <LinkButton
        href={withQuery(here(image.urlSet.rawUrl), { password, raw: 'true' })}
        icon="external"
        look="quiet"
        beside={beside}
      >
        Original
      </LinkButton>
    </>
  );
}

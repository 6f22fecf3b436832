import { readableSize } from '../../../routers/embed.js';
import { itemPath } from '../address.js';
import { untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { TakeAlong, ViewGate } from '../components/item/counted.js';
import { GoneNotice, imageLifetime, isOver } from '../components/item/gone.js';
import { Stage } from '../components/item/media.js';
import { Share } from '../components/item/share.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Facts, Person, Time } from '../components/parts.js';
import { count, duration } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { ListedImage } from '../records.js';
import { Manage } from './manage.js';
import { fileLink, isInlineImage, kindOf } from './media-kind.js';

/** The page of an image, video, audio file or other file that the reader may see. */
export function ImagePage({
  site,
  image,
  meta,
  password,
  mayManage,
  mayChange,
  gated,
  state = untouched,
}: FormPageProps<{
  readonly image: ListedImage;
  readonly meta: readonly Meta[];
  /** The password that the reader entered; it is added to the addresses of the file. */
  readonly password: string | null;
  /** The reader is its owner or a moderator. */
  readonly mayManage: boolean;
  /** The reader is its owner. */
  readonly mayChange: boolean;
  /** It has a view limit, and the reader has not asked to see it yet. */
  readonly gated: boolean;
}>) {
  const name = image.originalName ?? image.description ?? image.uniqueId;
  const lifetime = imageLifetime(image);
  const counted = image.maxViews !== null && !mayManage;
  // The image on this page takes a view once the page is open.
  const taken = counted && !gated && kindOf(image) === 'image' ? 1 : 0;
  return (
    <Page
      site={site}
      title={name}
      meta={meta}
      shell="content"
      width="wide"
      reopens={site.answersForm && password !== null && image.maxViews === null}
    >
      <GoneNotice of={lifetime} mine={mayChange} />
      {mayChange && <MetadataNotice image={image} />}
      {gated ? (
        <ViewGate image={image} action={itemPath('image', image.uniqueId)} />
      ) : (
        <Stage image={image} password={password} beside={site.answersForm} />
      )}
      <Heading title={name} lead={image.description !== name ? image.description : null}>
        {!gated && (
          <TakeAlong image={image} password={password} counted={counted} beside={site.answersForm} />
        )}
      </Heading>
      <div class="columns uneven">
        {!isOver({ ...lifetime, used: (image.views ?? 0) + taken }) && (
          <Card title="Share">
            <Share
              urls={image.urlSet}
              name={name}
              picture={isInlineImage(image)}
              direct={{ label: 'Direct link', url: fileLink(image) }}
            />
          </Card>
        )}
        <div class="stack">
          <Card title="Details">
            <ImageFacts image={image} taken={taken} />
          </Card>
          {mayManage && <Manage image={image} mayChange={mayChange} state={state} />}
        </div>
      </div>
    </Page>
  );
}

/** Tells the owner of a file what others may still learn from it. */
function MetadataNotice({ image }: { readonly image: ListedImage }) {
  if (image.metadata !== 'mayRemain') return null;
  return (
    <p class="notice">
      <Icon name="info" />
      <span>
        Location and camera data may remain in this file: they cannot be removed from{' '}
        {image.type === 'bin' ? 'files of an unknown format' : `${image.type.toUpperCase()} files`}.
      </span>
    </p>
  );
}

/** `taken` is the number of views that this page itself uses. */
function ImageFacts({ image, taken }: { readonly image: ListedImage; readonly taken: number }) {
  return (
    <Facts
      of={[
        ['Uploaded by', image.uploader && <Person user={image.uploader} />],
        ['Uploaded', <Time key="at" at={image.uploadedAt} />],
        ['Type', image.type.toUpperCase()],
        ['Size', image.size === null ? null : readableSize(image.size)],
        ['Dimensions', image.width && image.height ? `${count(image.width)} × ${count(image.height)}` : null],
        ['Duration', image.durationMs ? duration(image.durationMs) : null],
        [
          'Views',
          image.views == null
            ? null
            : `${count(image.views + taken)}${image.maxViews ? ` of ${count(image.maxViews)}` : ''}`,
        ],
        ['Location and camera data', image.metadata === 'kept' ? 'kept as uploaded' : null],
        ['Expires', image.expiresAt && <Time key="until" at={image.expiresAt} />],
      ]}
    />
  );
}

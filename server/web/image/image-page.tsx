import { readableSize } from '../../../routers/embed.js';
import { deletePath, itemPath } from '../address.js';
import { Submit } from '../components/button.js';
import { Check, Field } from '../components/form/field.js';
import { Form, type FormState, stateOf, ticked, typed, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { TakeAlong, ViewGate } from '../components/item/counted.js';
import { GoneNotice, imageLifetime, isOver } from '../components/item/gone.js';
import { Stage } from '../components/item/media.js';
import { Share } from '../components/item/share.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Facts, Person, Time } from '../components/parts.js';
import { count, duration } from '../format.js';
import type { Meta } from '../preview.js';
import type { ListedImage } from '../records.js';
import type { Site } from '../site.js';
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
}: {
  readonly site: Site;
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
  /** State of the owner's forms. */
  readonly state?: FormState | undefined;
}) {
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

/** Actions of the owner; a moderator can only delete the item. */
function Manage({
  image,
  mayChange,
  state,
}: {
  readonly image: ListedImage;
  readonly mayChange: boolean;
  readonly state: FormState;
}) {
  return (
    <Card title={mayChange ? 'Manage' : 'Moderation'}>
      <p class="actions">
        {image.isPublic ? (
          <Badge icon="globe">Anyone with the link</Badge>
        ) : (
          <Badge icon="lock">Private</Badge>
        )}
        {image.requiresPassword && <Badge icon="key">Password</Badge>}
        {kindOf(image) === 'other' && <Badge>Download only</Badge>}
      </p>
      {mayChange && <Change image={image} state={state} />}
      <a class="button danger" href={deletePath('image', image.uniqueId)}>
        <Icon name="trash" />
        Delete
      </a>
    </Card>
  );
}

/** Description, privacy and password. */
function Change({ image, state }: { readonly image: ListedImage; readonly state: FormState }) {
  const action = `/web/image/${encodeURIComponent(image.uniqueId)}`;
  const words = stateOf(state, 'save');
  const lock = stateOf(state, 'lock');
  return (
    <>
      <Form action={action} state={words}>
        <Field
          name="description"
          label="Description"
          value={typed(words, 'description', image.description)}
          error={words.errors.description}
          maxLength={200}
          optional
        />
        <Check name="private" label="Only I can see it" checked={ticked(words, 'private', !image.isPublic)} />
        <input
          type="hidden"
          name="shown-private"
          value={typed(words, 'shown-private', String(!image.isPublic)) ?? ''}
        />
        <Submit look="plain" name="action" value="save">
          Save
        </Submit>
      </Form>
      <Form action={action} state={lock}>
        <Field
          name="password"
          type="password"
          label={image.requiresPassword ? 'New password' : 'Password'}
          minLength={3}
          maxLength={100}
          autocomplete="off"
          hint="Anyone with the password can open the item."
          error={lock.errors.password}
          required
        />
        <div class="actions">
          <Submit look="plain" name="action" value="lock">
            Set password
          </Submit>
          {image.requiresPassword && (
            <Submit look="quiet" name="action" value="unlock" unchecked>
              Remove password
            </Submit>
          )}
        </div>
      </Form>
    </>
  );
}

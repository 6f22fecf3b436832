import { t } from '../../../routers/base/language/i18n.js';
import type { Exif, PictureWords } from '../../../routers/base/ports/media/media.js';
import { actionFrom, itemPath } from '../address.js';
import { CopyButton } from '../components/button.js';
import { TextArea } from '../components/form/field.js';
import { untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { TakeAlong, ViewGate } from '../components/item/counted.js';
import { Stage } from '../components/item/media.js';
import { imageLifetime, isEnded, RemovedNotice } from '../components/item/removed.js';
import { Share } from '../components/item/share.js';
import { Heading, Page } from '../components/page/page.js';
import { Facts, Person, Time } from '../components/parts.js';
import { count, duration, fileSize, ofLimit } from '../format.js';
import { ReportLink } from '../moderation/report-page.js';
import type { FormPageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { ListedImage } from '../records.js';
import { SealedStage } from '../sealed/sealed-stage.js';
import type { ArchiveListing } from '../shown/archive.js';
import { ArchiveList } from '../shown/archive-list.js';
import { hasDiagram, type TextShown } from '../shown/text-file.js';
import { ShownTextOf } from '../shown/text-shown.js';
import { administers } from '../site.js';
import { Manage } from './manage.js';
import { fileLink, isInlineImage, isOnlyOffered, kindOf } from './media-kind.js';
import { type Around, Viewer } from './viewer.js';

/** The page of an image, video, audio file or other file that the reader may see. */
export function ImagePage({
  site,
  image,
  meta,
  password,
  mayManage,
  mayChange,
  gated,
  around,
  text,
  listing,
  exif,
  words,
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
  /** The list that the reader came from; null if it is none. */
  readonly around: Around | null;
  /** What it says, if it is a text that pages show. */
  readonly text: TextShown | null;
  /** What is in it, if it is an archive that pages list. */
  readonly listing: ArchiveListing | null;
  /** What is left of EXIF, for its owner. */
  readonly exif: Exif | null;
  readonly words: PictureWords | null;
}>) {
  const name = image.originalName ?? image.description ?? image.uniqueId;
  const lifetime = imageLifetime(image);
  const counted = image.maxViews !== null && !mayManage;
  const opens = image.sealed && !gated;
  // The image on this page takes a view once the page is open.
  const taken = counted && !gated && kindOf(image) === 'image' ? 1 : 0;
  return (
    <Page
      site={site}
      title={name}
      meta={meta}
      scripts={[
        'viewer',
        ...(text === null ? [] : (['code'] as const)),
        ...(text !== null && hasDiagram(text) ? (['diagram'] as const) : []),
        ...(opens ? (['sealed'] as const) : []),
      ]}
      width="wide"
      reopens={site.answersForm && password !== null && image.maxViews === null}
    >
      <RemovedNotice of={lifetime} mine={mayChange} />
      {mayChange && <MetadataNotice image={image} />}
      <Viewer
        around={around}
        reads={text !== null || opens}
        stage={
          <>
            {gated ? (
              <ViewGate image={image} action={actionFrom(site, itemPath('image', image.uniqueId))} />
            ) : image.sealed ? (
              <SealedStage
                page={image.urlSet.webUrl}
                item={image}
                of={{ url: image.urlSet.rawUrl, password }}
              />
            ) : (
              text === null && <Stage image={image} password={password} beside={site.answersForm} />
            )}
            {text !== null && (
              <ShownTextOf
                text={text}
                label={t('Text of {name}', { name })}
                path={withoutView(site.address)}
              />
            )}
            {listing !== null && <ArchiveList listing={listing} />}
          </>
        }
      >
        <Heading title={name} lead={image.description !== name ? image.description : null} />
        {!isEnded({ ...lifetime, used: (image.views ?? 0) + taken }) && (
          <Share
            urls={image.urlSet}
            name={name}
            picture={isInlineImage(image)}
            direct={{ label: t('Direct link'), url: fileLink(image) }}
          />
        )}
        {!gated && !image.sealed && (counted || text !== null || !isOnlyOffered(image)) && (
          <TakeAlong image={image} password={password} counted={counted} beside={site.answersForm} />
        )}
        <ImageFacts image={image} taken={taken} exif={exif} />
        {words !== null && words.text !== '' && <PictureText text={words.text} />}
        {mayManage && (
          <Manage
            image={image}
            mayChange={mayChange}
            mayCount={mayChange || administers(site.viewer)}
            state={state}
          />
        )}
        {!mayManage && <ReportLink kind="image" uniqueId={image.uniqueId} />}
      </Viewer>
    </Page>
  );
}

/** The address of a page without the form of a text that it asks for. */
function withoutView(address: string): string {
  const [path = '', search] = address.split('?');
  const query = new URLSearchParams(search);
  query.delete('view');
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Tells the owner of a file what others may still learn from it. */
function MetadataNotice({ image }: { readonly image: ListedImage }) {
  if (image.metadata !== 'mayRemain') return null;
  return (
    <p class="notice">
      <Icon name="info" />
      <span>
        {image.type === 'bin'
          ? t(
              'Location and camera data may remain in this file: they cannot be removed from files of an unknown format.',
            )
          : t('Location and camera data may remain in this file: they cannot be removed from {type} files.', {
              type: image.type.toUpperCase(),
            })}
      </span>
    </p>
  );
}

/** What the picture says of its camera and its time; all of it is in the API. */
function exifRows(exif: Exif | null): readonly (readonly [string, string | null])[] {
  if (exif === null) return [];
  const { Make = '', Model = '', DateTimeOriginal = '', ExposureTime, FNumber, ISOSpeedRatings } = exif;
  const camera = String(Model).startsWith(String(Make)) ? String(Model) : `${Make} ${Model}`;
  const exposure = [
    typeof ExposureTime !== 'number'
      ? ''
      : ExposureTime > 0 && ExposureTime < 1
        ? `1/${Math.round(1 / ExposureTime)} s`
        : `${ExposureTime} s`,
    typeof FNumber === 'number' ? `f/${FNumber}` : '',
    typeof ISOSpeedRatings === 'number' ? t('ISO {speed}', { speed: ISOSpeedRatings }) : '',
  ];
  return [
    [t('Camera'), camera],
    // The time of the camera, which knows no zone.
    [t('Taken'), String(DateTimeOriginal).slice(0, 16).replace('T', ' ')],
    [t('Exposure'), exposure.filter(Boolean).join(' · ')],
    [t('Place'), 'GPSLatitude' in exif ? t('The file says where it was taken.') : ''],
  ];
}

/** The words in a picture, for its owner. */
function PictureText({ text }: { readonly text: string }) {
  const label = t('Text in the picture');
  return (
    <details class="more">
      <summary>{label}</summary>
      <TextArea name="picture-text" label={label} value={text} rows={8} readOnly />
      <CopyButton text={text} look="quiet" label={t('Copy the text')} />
    </details>
  );
}

/** What is known of a file; `taken` is the number of views that the page itself uses. */
export function ImageFacts({
  image,
  taken = 0,
  exif = null,
}: {
  readonly image: ListedImage;
  readonly taken?: number;
  readonly exif?: Exif | null;
}) {
  return (
    <Facts
      of={[
        [t('Uploaded by'), image.uploader && <Person user={image.uploader} />],
        [t('Uploaded'), <Time key="at" at={image.uploadedAt} />],
        [t('Type'), image.type.toUpperCase()],
        [t('Size'), image.size === null ? null : fileSize(image.size)],
        [
          t('Dimensions'),
          image.width && image.height ? `${count(image.width)} × ${count(image.height)}` : null,
        ],
        [t('Duration'), image.durationMs ? duration(image.durationMs) : null],
        [t('Views'), image.views == null ? null : ofLimit(image.views + taken, image.maxViews)],
        [t('Location and camera data'), image.metadata === 'kept' ? t('kept as uploaded') : null],
        [t('Expires'), image.expiresAt && <Time key="until" at={image.expiresAt} />],
        ...exifRows(exif),
      ]}
    />
  );
}

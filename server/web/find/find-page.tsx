import { KINDS, type Kind } from '../../../routers/base/kinds.js';
import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { here, itemPath, listPath, withQuery } from '../address.js';
import { Chips, Choice } from '../components/list/filter.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { orMore } from '../components/list/pager.js';
import { AccessSigns, type Row } from '../components/list/rows.js';
import { Time } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { PageProps } from '../page-props.js';
import type { OwnItem, OwnTag, Paged } from '../records.js';

/** The address of the search. */
const FIND = '/web/find';

/** Tags that the page offers; the others are at the items that have them. */
const MAX_OFFERED = 60;

const rowOf = (item: OwnItem): Row => ({
  name: item.title,
  href: itemPath(item.kind, item.uniqueId),
  mark: { picture: pictureOf(item), icon: KIND_WORDS[item.kind].list[2], kind: item.kind },
  signs: <AccessSigns {...item} />,
  line: [
    translateMessage(KIND_WORDS[item.kind].noun),
    <Time key="at" at={item.createdAt} />,
    item.tags.length === 0
      ? null
      : item.tags.map((tag) => (
          <a key={tag} href={listPath(FIND, { tag })} dir="auto">
            {tag}
          </a>
        )),
  ],
  more: (
    <>
      {item.snippet && <SnippetText snippet={item.snippet} />}
      {item.found && <FoundIn item={item} found={item.found} />}
    </>
  ),
});

/** What a file looks like; its owner uses up no views. */
function pictureOf({ thumbhash, urlSet: { rawUrl, posterUrl } }: OwnItem): string | null {
  if (thumbhash === null) return null;
  return posterUrl === null ? withQuery(here(rawUrl), { width: '400', format: 'webp' }) : here(posterUrl);
}

/** What the viewer's items say, searched by words, and what has a tag. */
export function FindPage({
  site,
  list,
  filter,
  tags,
}: PageProps<{
  readonly list: Paged<OwnItem>;
  readonly filter: { readonly search: string; readonly kind: '' | Kind; readonly tag: string };
  readonly tags: readonly OwnTag[];
}>) {
  const { search, kind, tag } = filter;
  return (
    <ListPage
      site={site}
      path={FIND}
      title={tag === '' ? t('Find') : t('Tag: {tag}', { tag })}
      lead={orMore(list, t('{total, plural, one {# item} other {# items}}', { total: list.total }))}
      width="wide"
      list={list}
      filter={filter}
      searchLabel={t('Words, "words in order", -without')}
      choices={
        <>
          <Choice
            name="kind"
            label={t('Kind')}
            value={kind}
            options={[
              ['', t('Everything')],
              ...KINDS.map((one) => [one, translateMessage(KIND_WORDS[one].title)] as const),
            ]}
          />
          {tag !== '' && <input type="hidden" name="tag" value={tag} />}
        </>
      }
      empty={{ icon: 'search', title: noneOr(`${search}${tag}${kind}`, t('Nothing here yet')) }}
      row={rowOf}
      rowKey={(item) => `${item.kind} ${item.uniqueId}`}
      above={
        <Chips
          all={FIND}
          chosen={tag}
          of={tags.slice(0, MAX_OFFERED).map((one) => ({ ...one, href: listPath(FIND, { tag: one.tag }) }))}
        />
      }
    />
  );
}

/** White around the words that are shown, in pixels of the picture. */
const AROUND = 24;
/** The least of a picture that is shown, so that few words do not become huge. */
const LEAST = { width: 480, height: 80 };

/** The part of a picture in which words were found, and where they are. */
function FoundIn({ item, found }: { readonly item: OwnItem; readonly found: NonNullable<OwnItem['found']> }) {
  const { width, height, boxes } = found;
  const [first] = boxes;
  if (first === undefined) return null;
  const shown = {
    width: Math.min(width, Math.max(LEAST.width, first.width + 2 * AROUND)),
    height: Math.min(height, Math.max(LEAST.height, first.height + 2 * AROUND)),
  };
  const start = (at: number, size: number, part: number, all: number) =>
    Math.max(0, Math.min(all - part, Math.round(at + size / 2 - part / 2)));
  const view = [
    start(first.x, first.width, shown.width, width),
    start(first.y, first.height, shown.height, height),
    ...[shown.width, shown.height],
  ];
  const picture = withQuery(here(item.urlSet.rawUrl), { width: '1600', format: 'webp' });
  return (
    <div class="found">
      <svg viewBox={view.join(' ')} width={shown.width} height={shown.height}>
        <title>{t('Where the words are in the picture')}</title>
        <image href={picture} width={width} height={height} preserveAspectRatio="none" />
        {boxes.map((box) => (
          <rect
            key={`${box.x} ${box.y}`}
            {...{ x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 3 }}
          />
        ))}
      </svg>
    </div>
  );
}

/** A stretch of a text with what was found in it. */
function SnippetText({ snippet: { text, marks } }: { readonly snippet: NonNullable<OwnItem['snippet']> }) {
  const parts = marks.map(([from, to], index) => (
    <>
      {text.slice(marks[index - 1]?.[1] ?? 0, from)}
      <mark>{text.slice(from, to)}</mark>
    </>
  ));
  return (
    <p class="snippet" dir="auto">
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </p>
  );
}

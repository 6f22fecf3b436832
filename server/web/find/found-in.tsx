import { t } from '../../../routers/base/language/i18n.js';
import { here, withQuery } from '../address.js';
import type { OwnItem } from '../records.js';

/** White around the words that are shown, in pixels of the picture. */
const AROUND = 24;
/** The least of a picture that is shown, so that few words do not become huge. */
const LEAST = { width: 480, height: 80 };

/** The part of a picture in which words were found, and where they are. */
export function FoundIn({
  item,
  found,
}: {
  readonly item: OwnItem;
  readonly found: NonNullable<OwnItem['found']>;
}) {
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
export function SnippetText({
  snippet: { text, marks },
}: {
  readonly snippet: NonNullable<OwnItem['snippet']>;
}) {
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

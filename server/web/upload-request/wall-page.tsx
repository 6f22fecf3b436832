import { t } from '../../../routers/base/language/i18n.js';
import { withQuery } from '../address.js';
import { Page } from '../components/page/page.js';
import type { PageProps } from '../page-props.js';
import type { WallFile, WallRecord } from '../records.js';

/** Without scripts, the wall is loaded again after so many seconds. */
const RELOAD_SECONDS = 20;

/** What came in by a request, for a projector: newest first, live, and without controls. */
export function WallPage({
  site,
  wall,
  request,
  ticket,
}: PageProps<{ readonly wall: WallRecord; readonly request: string; readonly ticket: string | null }>) {
  return (
    <Page site={site} title={wall.title} width="wide" scripts={['wall']} reloads={RELOAD_SECONDS} bare>
      <header class="wall-head">
        <h1 dir="auto">{wall.title}</h1>
        {wall.message && <p dir="auto">{wall.message}</p>}
      </header>
      <p class="wall-empty" data-empty hidden={wall.content.length > 0}>
        {t('Pictures appear here as soon as they are sent.')}
      </p>
      <ul class="wall" data-wall={request} data-ticket={ticket}>
        {wall.content.map((file) => (
          <WallEntry key={file.fileId} file={file} ticket={ticket} />
        ))}
      </ul>
      <template id="wall-entry">
        <li>
          <figure>
            <img alt="" />
            <figcaption dir="auto" />
          </figure>
        </li>
      </template>
    </Page>
  );
}

function WallEntry({ file, ticket }: { readonly file: WallFile; readonly ticket: string | null }) {
  const caption = file.url === null ? file.name : (file.sender ?? '');
  return (
    <li data-file={file.fileId}>
      <figure>
        {file.url !== null && (
          <img
            src={withQuery(`${new URL(file.url).pathname}?width=800`, { ticket })}
            alt={file.name}
            width={file.width ?? undefined}
            height={file.height ?? undefined}
            loading="lazy"
          />
        )}
        <figcaption dir="auto">{caption}</figcaption>
      </figure>
    </li>
  );
}

import { t } from '../../../routers/base/language/i18n.js';
import { ActionForm } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { PageProps } from '../page-props.js';
import { FROM_URL_PATH } from './upload-options.js';

/** How far a file is that the server fetches. */
interface Progress {
  readonly state: string;
  readonly offset: number;
  readonly length: number | null;
}

const RELOAD_SECONDS = 2;

/** Whole percent; never 100 as long as something is missing. */
const percentOf = (offset: number, length: number): number => Math.floor((100 * offset) / length);

/** The part of it that is here, between 0 and 1; null if nobody knows. */
export const partOf = ({ state, offset, length }: Progress): number | null =>
  length === null || state === 'processing' ? null : offset / length;

/** How far it is, in words. */
export function progressText({ state, offset, length }: Progress): string {
  if (state === 'processing') return t('All bytes are here. The file is being stored.');
  if (length === null) return t('{received} so far', { received: fileSize(offset) });
  return t('{percent} % of {size}', { percent: percentOf(offset, length), size: fileSize(length) });
}

/** A file that is on its way, with a button that ends it. Without scripts it is loaded again and again. */
export function FetchingPage({
  site,
  secret,
  progress,
}: PageProps<{ readonly secret: string; readonly progress: Progress }>) {
  const part = partOf(progress);
  return (
    <Page site={site} title={t('The file is being fetched')} scripts={['fetching']} reloads={RELOAD_SECONDS}>
      <Heading
        title={t('The file is being fetched')}
        lead={t('You can leave this page. The file will be in your library.')}
      />
      <Card>
        <div data-transfer>
          <progress {...(part === null ? {} : { value: part })} aria-label={t('Progress')} />
          <p>{progressText(progress)}</p>
        </div>
      </Card>
      <ActionForm action={`/web${FROM_URL_PATH}/${secret}`} actions look="plain" icon="x">
        {t('Cancel')}
      </ActionForm>
    </Page>
  );
}

import { t } from '../../../../routers/base/language/i18n.js';
import { visitsPath, wayPath } from '../../address.js';
import { LinkButton } from '../../components/button.js';
import { untouched } from '../../components/form/form.js';
import { Heading, Page } from '../../components/page/page.js';
import { Card } from '../../components/parts.js';
import type { FormPageProps } from '../../page-props.js';
import type { ShortUrlRecord } from '../../records.js';
import { shownId } from '../uses.js';
import { WayForm } from './form.js';
import { type Tried, TryCard } from './try.js';
import { WayInWords } from './words.js';

/** The rules and parts of a link: in words, tried, and changed. */
export function WayPage({
  site,
  link,
  tried,
  state = untouched,
}: FormPageProps<{ readonly link: ShortUrlRecord; readonly tried: Tried | null }>) {
  const path = wayPath(link.fullId);
  return (
    <Page site={site} title={t('Rules of {uniqueId}', { uniqueId: shownId(link) })}>
      <Heading title={t('Rules of {uniqueId}', { uniqueId: shownId(link) })} lead={link.originalUrl}>
        <LinkButton href={visitsPath(link.fullId)} icon="chart">
          {t('Visits')}
        </LinkButton>
      </Heading>
      <Card title={t('Who is led where')}>
        <WayInWords link={link} />
      </Card>
      <TryCard path={path} link={link} tried={tried} />
      <WayForm path={path} link={link} state={state} />
    </Page>
  );
}

import { t } from '../../../routers/base/language/i18n.js';
import { deletePath, editPath, here, visitsPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { isEnded, linkLifetime, RemovedNotice } from '../components/item/removed.js';
import { Share, sharedLink } from '../components/item/share.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Facts, Person, Time } from '../components/parts.js';
import { FavouriteButton } from '../edit/favourite.js';
import { NotifyForm } from '../edit/notify.js';
import { ofLimit } from '../format.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { ShortUrlRecord } from '../records.js';
import { owns } from '../site.js';
import { QrDownloads } from './qr-downloads.js';

/** Shows the target of a short link before it is opened; this does not count as a visit. */
export function LinkPage({
  site,
  link,
  target,
  meta,
  mayManage,
  mayCount,
}: PageProps<{
  readonly link: ShortUrlRecord;
  /** Its target; http or https. */
  readonly target: string;
  readonly meta: readonly Meta[];
  readonly mayManage: boolean;
  /** The reader is its owner or an administrator and may see its visits. */
  readonly mayCount: boolean;
}>) {
  const lifetime = linkLifetime(link);
  const { limit } = lifetime;
  const over = isEnded(lifetime);
  return (
    <Page
      site={site}
      title={t('A link to {host}', { host: new URL(target).host })}
      meta={meta}
      made={{ ...link, link: sharedLink(link.urlSet, true), change: editPath('url', link.fullId) }}
    >
      <Heading title={t('A link to {host}', { host: new URL(target).host })} lead={target}>
        {!over && (
          <LinkButton
            href={here(link.urlSet.rawUrl)}
            look="primary"
            icon="external"
            rel="noreferrer nofollow"
          >
            {t('Open link')}
          </LinkButton>
        )}
      </Heading>
      <RemovedNotice of={lifetime} mine={owns(site.viewer, link.uploader)} />
      <div class="columns uneven">
        {!over && (
          <Card title={t('Share')}>
            <Share urls={link.urlSet} name={target} />
            <QrDownloads uniqueId={link.fullId} />
          </Card>
        )}
        <Card title={t('Details')}>
          <Facts
            of={[
              [t('Created by'), <Person key="from" user={link.uploader} />],
              [t('Created'), <Time key="at" at={link.createdAt} />],
              [t('Visits'), ofLimit(link.visits, limit)],
              [t('Expires'), link.expiresAt && <Time key="until" at={link.expiresAt} />],
            ]}
          />
          {owns(site.viewer, link.uploader) && (
            <NotifyForm kind="url" uniqueId={link.fullId} notify={link.notify} />
          )}
          {!mayManage && <ReportLink kind="url" uniqueId={link.fullId} />}
          {mayManage && (
            <div class="actions">
              {mayCount && (
                <LinkButton href={visitsPath(link.fullId)} icon="chart">
                  {t('Visits')}
                </LinkButton>
              )}
              {owns(site.viewer, link.uploader) && (
                <FavouriteButton kind="url" uniqueId={link.fullId} favourite={link.favourite} />
              )}
              {owns(site.viewer, link.uploader) && (
                <LinkButton href={editPath('url', link.fullId)} icon="pen">
                  {t('Edit')}
                </LinkButton>
              )}
              <LinkButton href={deletePath('url', link.fullId)} look="danger" icon="trash">
                {t('Delete')}
              </LinkButton>
            </div>
          )}
        </Card>
      </div>
    </Page>
  );
}

/**
 * The response to the correct password of a link: continues automatically. Our content policy does not allow a form to
 * redirect to another site, but a page may refresh to it.
 */
export function LinkOpenPage({ site, target }: PageProps<{ readonly target: string }>) {
  return (
    <Page site={site} title={t('Opening link')} width="narrow" refresh={target}>
      <Heading title={t('Opening link')} lead={t('Taking you to {host}.', { host: new URL(target).host })} />
      <LinkButton href={target} look="primary" icon="external" rel="noreferrer nofollow">
        {t('Open link')}
      </LinkButton>
    </Page>
  );
}

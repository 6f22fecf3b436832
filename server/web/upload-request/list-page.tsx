import { t } from '../../../routers/base/language/i18n.js';
import { requestOwnerPath } from '../address.js';
import type { Offered } from '../collection/offered.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Listing } from '../components/list/listing.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { Paged, RequestRecord } from '../records.js';
import { rich } from '../rich.js';
import { mayMake } from '../site.js';
import { RequestFields } from './request-fields.js';

/** The request links of a user, and a form for a new one. */
export function RequestsPage({
  site,
  list,
  collections,
  recipient,
  state = untouched,
}: FormPageProps<{
  readonly list: Paged<RequestRecord>;
  readonly collections: readonly Offered[];
  /** The public key that the account of the viewer keeps. */
  readonly recipient: string | null;
}>) {
  return (
    <Page site={site} title={t('Requests')}>
      <Heading title={t('Requests')} lead={t('Links by which others send you files, without an account.')}>
        {mayMake(site.viewer) && list.items.length > 0 && (
          <LinkButton href="#new" look="primary" icon="plus">
            {t('New request')}
          </LinkButton>
        )}
      </Heading>
      <Listing path="/web/requests" list={list} empty={{ icon: 'download', title: t('No requests yet') }}>
        <ul class="rows">
          {list.items.map((request) => (
            <li key={request.uniqueId}>
              <span class="what">
                <a href={requestOwnerPath(request.uniqueId)} dir="auto">
                  {request.title}
                </a>{' '}
                {!request.open && <Badge>{t('Closed')}</Badge>}
                <br />
                <span class="hint">
                  {t('{receivedFiles, plural, one {# file} other {# files}}', {
                    receivedFiles: request.receivedFiles,
                  })}{' '}
                  · {fileSize(request.receivedBytes)}
                </span>
              </span>
              <CopyButton text={request.urlSet.webUrl} look="quiet">
                {t('Copy link')}
              </CopyButton>
            </li>
          ))}
        </ul>
      </Listing>
      {mayMake(site.viewer) && (
        <Card id="new" title={t('New request')}>
          <Form action="/web/requests" state={state}>
            <RequestFields request={null} collections={collections} state={state}>
              {recipient === null ? (
                <p class="hint">
                  {rich(
                    'Requests can be sealed, so that only you can read what comes in: <link>make a key</link> first.',
                    {
                      link: (inside) => <a href="/web/settings/seal">{inside}</a>,
                    },
                  )}
                </p>
              ) : (
                <Check
                  {...bind(state).box('sealed')}
                  label={t('Sealed')}
                  hint={t('Guests’ browsers encrypt what they send to your key: only you can open it.')}
                />
              )}
            </RequestFields>
            <Submit icon="plus">{t('Create link')}</Submit>
          </Form>
        </Card>
      )}
    </Page>
  );
}

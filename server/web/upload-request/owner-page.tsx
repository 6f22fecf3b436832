import { t } from '../../../routers/base/language/i18n.js';
import { itemPath, requestOwnerPath } from '../address.js';
import type { Offered } from '../collection/offered.js';
import { Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form, stateOf, untouched } from '../components/form/form.js';
import { Listing } from '../components/list/listing.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, CopyField, Time } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { Paged, RequestRecord } from '../records.js';
import { rich } from '../rich.js';
import { SealedAsk, SealedNotice } from '../sealed/sealed-stage.js';
import { RequestFields } from './request-fields.js';

/** A file that came in. */
export interface ReceivedEntry {
  readonly uniqueId: string | null;
  readonly name: string;
  readonly sealed: boolean;
  readonly sealedName: string | null;
  readonly size: number;
  readonly sender: string | null;
  readonly receivedAt: string;
}

/** What came in by a request link, newest first, and the link itself, for its owner. */
export function RequestOwnerPage({
  site,
  request,
  list,
  collections,
  state = untouched,
}: FormPageProps<{
  readonly request: RequestRecord;
  readonly list: Paged<ReceivedEntry>;
  readonly collections: readonly Offered[];
}>) {
  const path = requestOwnerPath(request.uniqueId);
  return (
    <Page site={site} title={request.title} scripts={request.recipient === null ? [] : ['sealed']}>
      <Heading
        title={request.title}
        lead={`${t('{receivedFiles, plural, one {# file} other {# files}}', { receivedFiles: request.receivedFiles })} · ${fileSize(request.receivedBytes)}`}
      >
        {!request.open && <Badge>{t('Closed')}</Badge>}
      </Heading>
      <Card title={t('The link')}>
        <CopyField label={t('Link')} value={request.urlSet.webUrl} />
        {request.urlSet.wallUrl !== null && <CopyField label={t('Wall')} value={request.urlSet.wallUrl} />}
        {request.wall === 'approved' && (
          <a class="button plain" href={`${path}/approval`}>
            {t('Approve files')}
          </a>
        )}
        <Form action={path}>
          <Submit look="plain" name="action" value={request.closed ? 'reopen' : 'close'}>
            {request.closed ? t('Take files again') : t('Close the link')}
          </Submit>
        </Form>
      </Card>
      {request.recipient !== null && (
        <section class="sealed">
          <SealedNotice />
          <SealedAsk />
        </section>
      )}
      <Listing path={path} list={list} empty={{ icon: 'download', title: t('Nothing has come in yet') }}>
        <ul class="rows">
          {list.items.map((file) => (
            <li key={`${file.receivedAt} ${file.uniqueId ?? file.name}`}>
              <span class="what">
                {file.uniqueId === null ? (
                  <span dir="auto">{t('{name} (deleted)', { name: file.name })}</span>
                ) : (
                  <a
                    href={itemPath('image', file.uniqueId)}
                    dir="auto"
                    data-named={file.sealed ? (file.sealedName ?? '') : undefined}
                  >
                    {file.name}
                  </a>
                )}
                <br />
                <span class="hint">
                  {fileSize(file.size)} · <Time at={file.receivedAt} />
                  {file.sender && (
                    <> {rich('· from {span}', { span: <span dir="auto">{file.sender}</span> })}</>
                  )}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Listing>
      <Card title={t('Settings')}>
        <Form action={path} state={stateOf(state, 'save')}>
          <RequestFields request={request} collections={collections} state={stateOf(state, 'save')} />
          <Submit look="plain" name="action" value="save">
            {t('Save')}
          </Submit>
        </Form>
      </Card>
      <Ask
        action={path}
        value="delete"
        label={t('Delete the request')}
        lost={t('Its link stops working. What came in stays in your library.')}
        sure={t('Yes, delete the request')}
      />
    </Page>
  );
}

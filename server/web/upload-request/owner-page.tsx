import { t } from '../../../routers/base/language/i18n.js';
import { here, itemPath, listPath, requestOwnerPath } from '../address.js';
import type { Offered } from '../collection/offered.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form, stateOf, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, CopyField, Empty, Time } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { Paged, RequestRecord } from '../records.js';
import { rich } from '../rich.js';
import { SealedAsk, SealedNotice } from '../sealed/sealed-stage.js';
import { RequestFields } from './request-fields.js';

/** A file that came in. */
export interface ReceivedFile {
  readonly uniqueId: string | null;
  readonly name: string;
  readonly sealed: boolean;
  readonly sealedName: string | null;
  readonly size: number;
  readonly sender: string | null;
  readonly receivedAt: string;
  readonly approved: boolean | null;
}

/** The same as its owner's page shows it. */
export interface ReceivedEntry extends ReceivedFile {
  /** The address of a small picture of it; null for what has none, or is gone. */
  readonly picture: string | null;
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
  const approves = request.wall === 'approved';
  return (
    <Page site={site} title={request.title} scripts={request.recipient === null ? [] : ['sealed']}>
      <Heading
        title={request.title}
        lead={`${t('{receivedFiles, plural, one {# file} other {# files}}', { receivedFiles: request.receivedFiles })} · ${fileSize(request.receivedBytes)}`}
      >
        {!request.open && <Badge>{t('Closed')}</Badge>}
        <CopyButton text={request.urlSet.webUrl} look="primary">
          {t('Copy link')}
        </CopyButton>
        {approves && (
          <LinkButton href={`${path}/approval`} icon="check">
            {t('Approve files')}
          </LinkButton>
        )}
        {request.urlSet.wallUrl !== null && (
          <LinkButton href={here(request.urlSet.wallUrl)} icon="image">
            {t('Wall')}
          </LinkButton>
        )}
        <LinkButton href="#settings" icon="gear">
          {t('Settings')}
        </LinkButton>
      </Heading>
      {request.recipient !== null && (
        <section class="sealed">
          <SealedNotice />
          <SealedAsk />
        </section>
      )}
      {list.total === 0 && <Empty icon="download" title={t('Nothing has come in yet')} />}
      <ul class="shelf">
        {list.items.map((file) => (
          <Received
            key={`${file.receivedAt} ${file.uniqueId ?? file.name}`}
            file={file}
            decides={approves ? path : null}
          />
        ))}
      </ul>
      <Pager list={list} href={(page) => listPath(path, { page })} />
      <Card title={t('Settings')} id="settings">
        <CopyField label={t('Link')} value={request.urlSet.webUrl} />
        {request.urlSet.wallUrl !== null && <CopyField label={t('Wall')} value={request.urlSet.wallUrl} />}
        <Form action={path} state={stateOf(state, 'save')}>
          <RequestFields request={request} collections={collections} state={stateOf(state, 'save')} />
          <div class="actions">
            <Submit look="plain" name="action" value="save">
              {t('Save')}
            </Submit>
            <Submit look="quiet" name="action" value={request.closed ? 'reopen' : 'close'} unchecked>
              {request.closed ? t('Take files again') : t('Close the link')}
            </Submit>
          </div>
        </Form>
        <Ask
          action={path}
          value="delete"
          label={t('Delete the request')}
          lost={t('Its link stops working. What came in stays in your library.')}
          sure={t('Yes, delete the request')}
        />
      </Card>
    </Page>
  );
}

/** A file that came in, as its picture; where its owner decides about the wall, with both answers. */
function Received({
  file,
  decides,
}: {
  readonly file: ReceivedEntry;
  /** The path that takes the answer; null where there is nothing to decide. */
  readonly decides: string | null;
}) {
  const { uniqueId, name, picture, sender } = file;
  return (
    <li>
      <span class="thumb">
        {picture ? (
          <img src={picture} alt="" loading="lazy" />
        ) : (
          <Icon name={file.sealed ? 'lock' : 'file'} />
        )}
        {decides !== null && file.approved !== null && (
          <Badge look={file.approved ? 'good' : 'plain'}>
            {file.approved ? t('On the wall') : t('Kept off the wall')}
          </Badge>
        )}
      </span>
      {uniqueId === null ? (
        <span dir="auto">{t('{name} (deleted)', { name })}</span>
      ) : (
        <a
          href={itemPath('image', uniqueId)}
          dir="auto"
          title={name}
          data-named={file.sealed ? (file.sealedName ?? '') : undefined}
        >
          {name}
        </a>
      )}
      <p class="hint">
        {fileSize(file.size)} · <Time at={file.receivedAt} />
        {sender && <> {rich('· from {span}', { span: <span dir="auto">{sender}</span> })}</>}
      </p>
      {decides !== null && uniqueId !== null && file.approved === null && (
        <form class="actions" method="post" action={decides}>
          <input type="hidden" name="fileId" value={uniqueId} />
          <Submit look="plain" icon="check" name="action" value="show">
            {t('Show')}
          </Submit>
          <button
            type="submit"
            class="button quiet"
            name="action"
            value="hide"
            aria-label={t('Keep off the wall')}
            title={t('Keep off the wall')}
          >
            <Icon name="x" />
          </button>
        </form>
      )}
    </li>
  );
}

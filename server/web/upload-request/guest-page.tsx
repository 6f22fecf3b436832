import { type I18n, t } from '../../../routers/base/language/i18n.js';
import { readTypeRules, typesInWords } from '../../../routers/base/text/media-types.js';
import { requestPath, withQuery } from '../address.js';
import { Submit } from '../components/button.js';
import { Field, FileInput } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { QueueRow } from '../components/item/queue-row.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, CopyField, Person, Time } from '../components/parts.js';
import { dateWords, fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { OpenedRequest, SentFile } from '../records.js';
import { rich } from '../rich.js';
import { SealedNotice } from '../sealed/sealed-stage.js';

/**
 * The page on which a stranger sends files: who asks for what, one large button, progress, and a receipt. Without
 * scripts it sends one file at a time. `request` null: the file just sent was the last that it takes.
 */
export function RequestGuestPage({
  site,
  request,
  action,
  ticket,
  sent,
  state = untouched,
}: FormPageProps<{
  readonly request: OpenedRequest | null;
  readonly action: string;
  readonly ticket: string | null;
  /** The files that were just sent. */
  readonly sent: readonly SentFile[];
}>) {
  const { field } = bind(state);
  return (
    <Page
      site={site}
      title={request?.title ?? t('Sent')}
      width="narrow"
      scripts={request === null ? [] : ['request']}
    >
      <Heading title={request?.title ?? t('Thank you')} lead={request?.note ?? null} />
      {request && (
        <p class="byline">
          {rich(
            request.blind
              ? '{person} <hint>asks you for files. Only they see what you send.</hint>'
              : '{person} <hint>asks you for files. Only those with this link see what you send.</hint>',
            {
              person: <Person user={request.owner} />,
              hint: (inside) => <span class="hint">{inside}</span>,
            },
          )}
        </p>
      )}
      {request?.message && <p dir="auto">{request.message}</p>}
      {request && request.wall !== 'none' && (
        <p>
          <a href={withQuery(`${requestPath(request.uniqueId)}/wall`, { ticket })}>{t('See the wall')}</a>
        </p>
      )}
      {request?.recipient && (
        <>
          <SealedNotice />
          <noscript>
            <CopyField
              label={t('Without scripts, seal it with age, and send the age file')}
              value={`age -r ${request.recipient} file > file.age`}
            />
          </noscript>
        </>
      )}
      {sent.length > 0 && <Receipt sent={sent} action={action} />}
      {request && (
        <Form action={action} state={state} files script="request" id="request">
          {request.askName && (
            <Field {...field('name')} label={t('Your name')} maxLength={100} autocomplete="name" required />
          )}
          <div class="drop" data-drop>
            <Icon name="upload" />
            <label for="file">
              <span class="choose">{t('Choose files')}</span>
            </label>
            <p class="hint">{limitsOf(request, site.i18n)}</p>
            <FileInput lost={state.lost.includes('file')} accept={acceptOf(request)} required />
          </div>
          <ol
            class="queue"
            data-queue
            data-request={request.uniqueId}
            data-ticket={ticket}
            data-recipient={request.recipient ?? undefined}
            aria-label={t('Files')}
          />
          <p class="notice done" role="status" data-receipt hidden>
            <Icon name="check" />
            <span />
          </p>
          <div class="actions" data-plain>
            <Submit icon="upload">{t('Send')}</Submit>
          </div>
        </Form>
      )}
      {request && request.received.length > 0 && (
        <Card title={t('Already here')}>
          <ul class="rows">
            {request.received.map((file) => (
              <li key={`${file.receivedAt} ${file.name}`}>
                <span class="what" dir="auto">
                  {file.name}
                </span>
                <span class="hint">
                  {fileSize(file.size)} · <Time at={file.receivedAt} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <QueueRow
        site={site}
        actions={{
          retry: t('Try again'),
          pause: t('Pause'),
          resume: t('Resume'),
          cancel: t('Cancel'),
          'take-back': t('Take back'),
        }}
      />
    </Page>
  );
}

/** What has arrived, with a button that takes it back; scripts show one at each file. */
function Receipt({ sent, action }: { readonly sent: readonly SentFile[]; readonly action: string }) {
  return (
    <div class="notice done" role="status">
      <Icon name="check" />
      <p dir="auto">{t('Received: {names}', { names: sent.map(({ name }) => name).join(', ') })}</p>
      {sent.map(({ receipt }) => (
        <Form key={receipt} action={takeBackPath(action)}>
          <input type="hidden" name="receipt" value={receipt} />
          <Submit look="quiet">{t('Take back')}</Submit>
        </Form>
      ))}
    </div>
  );
}

const takeBackPath = (action: string): string => {
  const [path = '', query] = action.split('?', 2);
  return `${path}/take-back${query === undefined ? '' : `?${query}`}`;
};

/** What the browser offers: the types of the request or, without any, those that are accepted for its owner. */
function acceptOf({ types, acceptedTypes }: OpenedRequest): string | undefined {
  const offered = types.length > 0 ? types : acceptedTypes.filter((type) => !type.startsWith('!'));
  return offered.length === 0 || offered.includes('*/*') ? undefined : offered.join(',');
}

/** What the request takes, in words. */
function limitsOf({ types, acceptedTypes, ...request }: OpenedRequest, i18n: I18n): string {
  const { remaining, maxFileBytes, expiresAt } = request;
  const accepted = typesInWords(readTypeRules(acceptedTypes), i18n);
  return [
    types.length > 0 ? types.join(', ') : (accepted ?? t('Any files')),
    types.length > 0 && accepted !== null ? t('accepted here: {accepted}', { accepted }) : '',
    t('up to {maxFileBytes} each', { maxFileBytes: fileSize(maxFileBytes) }),
    remaining === null ? '' : t('{remaining, plural, one {# more file} other {# more files}}', { remaining }),
    expiresAt === null ? '' : t('until {time}', { time: dateWords(expiresAt) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

import { t } from '../../../routers/base/language/i18n.js';
import { itemPath, requestOwnerPath } from '../address.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Heading, Page } from '../components/page/page.js';
import { Empty, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { RequestRecord } from '../records.js';
import type { ReceivedFile } from './owner-page.js';

/** Without scripts, an empty page looks for new files after so many seconds. */
const RELOAD_SECONDS = 15;

/** One file after another that waits to be shown on the wall, with one answer each. */
export function ApprovalPage({
  site,
  request,
  next,
  isPicture,
  waiting,
}: PageProps<{
  readonly request: RequestRecord;
  readonly next: ReceivedFile | null;
  /** Whether it can be looked at; of anything else the wall shows the name. */
  readonly isPicture: boolean;
  readonly waiting: number;
}>) {
  const path = `${requestOwnerPath(request.uniqueId)}/approval`;
  return (
    <Page
      site={site}
      title={t('Approve files')}
      width="narrow"
      {...(next === null && { reloads: RELOAD_SECONDS })}
    >
      <Heading
        title={t('Approve files')}
        lead={t('{waiting, plural, one {# file waits} other {# files wait}}', { waiting })}
      />
      {next === null ? (
        <Empty icon="check" title={t('Nothing waits')}>
          <a class="button plain" href={path}>
            {t('Look again')}
          </a>
        </Empty>
      ) : (
        <Form action={path}>
          <div class="approval">
            {isPicture ? (
              <img
                src={`/v1/image/get/${encodeURIComponent(next.uniqueId ?? '')}?width=800`}
                alt={next.name}
              />
            ) : (
              <p>
                <a href={itemPath('image', next.uniqueId ?? '')} dir="auto">
                  <Icon name="file" /> {next.name}
                </a>
              </p>
            )}
            <p class="hint" dir="auto">
              {[next.sender, next.name].filter(Boolean).join(' · ')} · <Time at={next.receivedAt} />
            </p>
            <input type="hidden" name="fileId" value={next.uniqueId ?? ''} />
            <div class="actions">
              <Submit look="plain" name="approved" value="false">
                {t('Keep off the wall')}
              </Submit>
              <Submit name="approved" value="true">
                {t('Show')}
              </Submit>
            </div>
          </div>
        </Form>
      )}
    </Page>
  );
}

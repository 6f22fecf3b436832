import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page/page.js';
import { SignInLink } from '../components/page/sign-in.js';
import type { PageProps } from '../page-props.js';

type Text = readonly [title: Message, text: Message];
const REFUSED: Text = [msg('That did not work'), msg('The request was not valid.')];
const FAILED: Text = [
  msg('Something went wrong'),
  msg('It was not your fault, and it has been logged. Try again in a moment.'),
];
const texts: Readonly<Record<number, Text>> = {
  401: [msg('Please sign in'), msg('You need an account to see this page.')],
  403: [msg('Access denied'), msg('Your account is not allowed to do this.')],
  404: [msg('Not found'), msg('This link doesn’t exist, has expired or was deleted.')],
  413: [msg('Too large'), msg('The file is larger than this server accepts.')],
  429: [msg('Too many attempts'), msg('Wait a moment, then try again.')],
};

/** Statuses of a refused form where trying again, later or with other input, may help. */
const worthAgain: readonly number[] = [400, 408, 413, 429, 503];

/** The error page. `detail` is a public text from the list of errors, never an internal cause. */
export function ErrorPage({
  site,
  status,
  detail,
}: PageProps<{
  readonly status: number;
  readonly detail?: string | null;
}>) {
  const [title, text] = texts[status] ?? (status < 500 ? REFUSED : FAILED);
  return (
    <Page site={site} title={translateMessage(title)} width="narrow">
      <div class="gate-page">
        <Icon name={status === 404 ? 'search' : 'warning'} />
        <p class="hint">{status}</p>
        <h1>{translateMessage(title)}</h1>
        <p class="hint">{detail ?? translateMessage(text)}</p>
        {status === 401 && site.answersForm && (
          <p class="hint">
            {t('Nothing you entered is lost. Sign in in a new tab, then reload this page to send it again.')}
          </p>
        )}
        {site.answersForm && worthAgain.includes(status) && (
          <p class="hint">{t('Go back in your browser; what you entered is still in the form.')}</p>
        )}
        <div class="actions">
          <LinkButton href="/">{t('Go to the start page')}</LinkButton>
          {status === 401 && <SignInLink site={site} look="primary" />}
        </div>
      </div>
    </Page>
  );
}

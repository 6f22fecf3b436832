import { LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page/page.js';
import { SignInLink } from '../components/page/sign-in.js';
import type { PageProps } from '../page-props.js';

const texts: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['That did not work', 'The request was not valid.'],
  401: ['Please sign in', 'You need an account to see this page.'],
  403: ['Access denied', 'Your account is not allowed to do this.'],
  404: ['Not found', 'It does not exist, or it was deleted, has expired or was used up.'],
  413: ['Too large', 'The file is larger than this server accepts.'],
  429: ['Too many attempts', 'Wait a moment, then try again.'],
  500: ['Something went wrong', 'It was not your fault, and it has been logged. Try again in a moment.'],
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
  const [title, text] = texts[status] ?? texts[status < 500 ? 400 : 500] ?? ['Something went wrong', ''];
  return (
    <Page site={site} title={title} shell="content" width="narrow">
      <div class="gate-page">
        <Icon name={status === 404 ? 'search' : 'warning'} />
        <p class="hint">{status}</p>
        <h1>{title}</h1>
        <p class="hint">{detail ?? text}</p>
        {status === 401 && site.answersForm && (
          <p class="hint">
            Nothing you entered is lost. Sign in in a new tab, then reload this page to send it again.
          </p>
        )}
        {site.answersForm && worthAgain.includes(status) && (
          <p class="hint">Go back in your browser; what you entered is still in the form.</p>
        )}
        <div class="actions">
          <LinkButton href="/">Go to the start page</LinkButton>
          {status === 401 && <SignInLink site={site} look="primary" />}
        </div>
      </div>
    </Page>
  );
}

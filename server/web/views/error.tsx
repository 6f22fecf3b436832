import { LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page.js';
import { SignInLink } from '../components/sign-in.js';
import type { Site } from '../site.js';

const texts: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['That did not work', 'Something in the request was not as it must be.'],
  401: ['Please sign in', 'This page needs an account.'],
  403: ['This is not for you', 'Your account may not do that.'],
  404: ['There is nothing here', 'It never was, or it is gone: deleted, expired or used up.'],
  413: ['That is too much', 'The file is larger than this place takes.'],
  429: ['Too many tries', 'Wait a moment, then try again.'],
  500: ['Something broke', 'It was not your fault, and it has been written down. Try again in a moment.'],
};

/** Refusals of a form that another try, with something else or later, may not meet. */
const worthAgain: readonly number[] = [400, 408, 413, 429, 503];

/** A failure, said to a person. `detail` is public text of the error list, never a cause. */
export function ErrorPage({
  site,
  status,
  detail,
}: {
  readonly site: Site;
  readonly status: number;
  readonly detail?: string | null;
}) {
  const [title, text] = texts[status] ?? texts[status < 500 ? 400 : 500] ?? ['Something broke', ''];
  return (
    <Page site={site} title={title} shell="content" width="narrow">
      <div class="door-page">
        <Icon name={status === 404 ? 'search' : 'warning'} />
        <p class="hint">{status}</p>
        <h1>{title}</h1>
        <p class="hint">{detail ?? text}</p>
        {status === 401 && site.answersForm && (
          <p class="hint">
            Nothing of what you typed is lost: sign in in the new tab, then reload this page, which sends it
            again.
          </p>
        )}
        {site.answersForm && worthAgain.includes(status) && (
          <p class="hint">Go back in your browser: what you typed is still in the form.</p>
        )}
        <div class="actions">
          <LinkButton href="/">Go to the start</LinkButton>
          {status === 401 && <SignInLink site={site} look="primary" />}
        </div>
      </div>
    </Page>
  );
}

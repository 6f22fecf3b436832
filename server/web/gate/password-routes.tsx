import type { ErrorCode } from '../../../routers/base/errors.js';
import type { Kind } from '../../../routers/base/kinds.js';
import type { FormState } from '../components/form/form.js';
import { closedPreview } from '../preview.js';
import { orShowAgain } from '../refusal.js';
import type { PageAnswer, PageRequest } from '../request.js';
import { PasswordPage } from './gate-pages.js';

/** Errors after which another password, or the same one later, may succeed. */
const ofPassword: ReadonlySet<ErrorCode | null> = new Set<ErrorCode>([
  'PASSWORD_REQUIRED',
  'PASSWORD_WRONG',
  'TOO_MANY_REQUESTS',
]);

/** Asks for the password of an item; the form posts to `action`, the path of its page. */
export const askPassword = (
  { site }: PageRequest,
  kind: Kind | 'collection' | 'request',
  action: string,
  state?: FormState,
) => (
  <PasswordPage
    site={site}
    kind={kind}
    action={action}
    meta={closedPreview(site.origin + action, site)}
    state={state}
  />
);

/** Opens an item with the password in the form, or asks again. Does not ask if the item no longer exists. */
export const openByPassword = (
  request: PageRequest,
  kind: Kind | 'collection' | 'request',
  action: string,
  open: () => Promise<PageAnswer>,
): Promise<PageAnswer> =>
  orShowAgain(
    request,
    open,
    (state) => askPassword(request, kind, action, state),
    (reason) => ofPassword.has(reason),
  );

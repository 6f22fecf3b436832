import { fail } from '../../../routers/base/errors.js';
import { mailboxPath, mailboxSettingsPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { mayMake } from '../site.js';
import type { Sending } from './samples.js';
import { MailboxSettingsPage, mayChange } from './settings-page.js';
import { holds } from './shown-inbox.js';

/** The settings of mailboxes. */
export const mailSettingsPages = [
  getPage('/mailboxes/{email}/settings', async (request) => page(await settingsPage(request))),
  postForm('/mailboxes/{email}/settings', changeMailbox),
];

async function settingsPage(request: PageRequest, state?: FormState, made: Sending | null = null) {
  const { site, call, ctx, params } = request;
  const { email = '' } = params;
  const mailbox = await call.email.info({ email });
  if (!mayChange(site, mailbox)) fail('NOT_OWNER');
  const forward = holds(site, mailbox) && mayMake(site.viewer) ? await call.email.forward({ email }) : null;
  return (
    <MailboxSettingsPage
      site={site}
      mailbox={mailbox}
      forward={forward}
      settings={ctx.app.settings}
      made={made}
      state={state}
    />
  );
}

const states = { open: 'OPEN', close: 'CLOSED', suspend: 'SUSPENDED' } as const;

async function changeMailbox(request: PageRequest): Promise<PageAnswer> {
  const { site, call, params, body } = request;
  const email = params.email ?? '';
  const action = body.string('action');
  if (action === 'delete') {
    await call.email.delete({ email });
    return goTo(`${site.viewer === null ? '/' : '/web/mailboxes'}?done=deleted`);
  }
  if (action === 'empty') {
    await call.email.clear({ email });
    return goTo(`${mailboxPath(email)}?done=deleted`);
  }
  if (action === 'forward') {
    const to = body.string('to');
    return orShowAgain(
      { site, body },
      async () => {
        await call.email.setForward({ email, to });
        return goTo(`${mailboxSettingsPath(email)}?done=${to === '' ? 'saved' : 'asked'}`);
      },
      (state) => settingsPage(request, state),
    );
  }
  if (action === 'make-credentials')
    return page(await settingsPage(request, undefined, await call.email.makeCredentials({ email })));
  if (action === 'end-credentials') await call.email.endCredentials({ email });
  else if (action in states)
    await call.email.setState({ email, state: states[action as keyof typeof states] });
  else fail('INVALID');
  return goTo(`${mailboxSettingsPath(email)}?done=saved`);
}

import { fail } from '../../../routers/errors.js';
import { sanitisedToText } from '../../../routers/mail/html-text.js';
import { mailboxPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { pageNumber } from '../listing.js';
import type { MessageRecord } from '../records.js';
import { orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { MailboxPage } from './mailbox-page.js';
import { MailboxesPage } from './mailboxes-page.js';
import { MessagePage } from './message-page.js';

/** Mailboxes, and the mail in them. */
export const mailPages = [
  getPage('/mailboxes', async (request) => page(await mailboxes(request))),
  postForm('/mailboxes', create),
  getPage('/mailboxes/{email}', showMailbox),
  postForm('/mailboxes/{email}', changeMailbox),
  getPage('/mailboxes/{email}/message', showMessage),
  postForm('/mailboxes/{email}/message', removeMessage),
  getPage('/mailboxes/{email}/html', showHtml),
  getPage('/mailboxes/{email}/text', sendText),
  getPage('/mailboxes/{email}/attachment', sendAttachment),
];

async function mailboxes(request: PageRequest, state?: FormState) {
  requireViewer(request);
  return <MailboxesPage site={request.site} mailboxes={await request.call.email.mine()} state={state} />;
}

async function create(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  return orShowAgain(
    body,
    async () => {
      const made = await call.email.create({
        name: body.text('name'),
        expiresIn: body.text('expiresIn'),
      });
      return goTo(mailboxPath(made.email));
    },
    (state) => mailboxes(request, state),
  );
}

async function showMailbox({ site, call, params, query }: PageRequest): Promise<PageAnswer> {
  const email = params.email ?? '';
  const [mailbox, list] = await Promise.all([
    call.email.info({ email }),
    call.email.inbox({ email, page: pageNumber(query) }),
  ]);
  return page(<MailboxPage site={site} mailbox={mailbox} list={list} />);
}

const states = { open: 'OPEN', close: 'CLOSED', suspend: 'SUSPENDED' } as const;

async function changeMailbox({ call, params, body }: PageRequest): Promise<PageAnswer> {
  const email = params.email ?? '';
  const action = body.string('action');
  if (action === 'delete') {
    await call.email.delete({ email });
    return goTo('/web/mailboxes?done=deleted');
  }
  if (action === 'empty') await call.email.clear({ email });
  else if (action in states)
    await call.email.setState({ email, state: states[action as keyof typeof states] });
  else fail('INVALID');
  return goTo(`${mailboxPath(email)}?done=saved`);
}

async function showMessage(request: PageRequest): Promise<PageAnswer> {
  const email = request.params.email ?? '';
  const message = await messageOf(request);
  const id = encodeURIComponent(message.messageId);
  const htmlUrl = message.html === '' ? null : `${mailboxPath(email)}/html?id=${id}`;
  const text = message.text.trim() === '' ? sanitisedToText(message.html) : message.text;
  return page(
    <MessagePage site={request.site} mailbox={email} message={message} text={text} htmlUrl={htmlUrl} />,
  );
}

async function removeMessage({ call, params, query }: PageRequest): Promise<PageAnswer> {
  const message = named({ params, query });
  await call.email.deleteMessage(message);
  return goTo(`${mailboxPath(message.email)}?done=deleted`);
}

async function showHtml(request: PageRequest): Promise<PageAnswer> {
  return { as: 'foreign', html: (await messageOf(request, true)).html };
}

/** The whole text as a file: a page shows only the beginning of a long one. */
async function sendText(request: PageRequest): Promise<PageAnswer> {
  const { subject, text, html } = await messageOf(request, true);
  const content = text.trim() === '' ? sanitisedToText(html) : text;
  return { as: 'file', filename: `${subject || 'message'}.txt`, content: Buffer.from(content) };
}

async function sendAttachment({ call, ctx, params, query }: PageRequest): Promise<PageAnswer> {
  const index = query.number('n') ?? 0;
  const { filename, sha256 } = await call.email.attachment({ ...named({ params, query }), index });
  return { as: 'file', filename, content: await ctx.app.storage.blobs.open(sha256) };
}

/** The message with the Message-Id in the address; a long one is cut unless it is needed as a `whole`. */
const messageOf = ({ call, params, query }: PageRequest, whole = false): Promise<MessageRecord> =>
  call.email.message({ ...named({ params, query }), whole });

const named = ({ params, query }: Pick<PageRequest, 'params' | 'query'>) => ({
  email: params.email ?? '',
  messageId: query.text('id') ?? '',
});

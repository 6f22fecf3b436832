import { isPrefetch } from '../../../rest-adapter/wire.js';
import { sanitisedToText } from '../../../routers/base/text/html-text.js';
import { mailboxPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { choiceOf, pageNumber } from '../listing.js';
import type { MessageRecord } from '../records.js';
import { again, orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { mayMake } from '../site.js';
import { requireViewer } from '../viewer.js';
import { ForwardPage } from './forward-page.js';
import { GuestPage } from './guest-page.js';
import { MailboxPage } from './mailbox-page.js';
import { MailboxesPage } from './mailboxes-page.js';
import { MessagePage } from './message-page.js';
import { picturesOf, withPictures, withRemotePictures } from './pictures.js';
import { SENT_STATES, SentPage } from './sent-page.js';
import { mayChange } from './settings-page.js';
import { boxesOf, holds, inboxOf } from './shown-inbox.js';

/** Mailboxes, and the mail in them. */
export const mailPages = [
  getPage('/mailboxes', async (request) => page(await mailboxes(request))),
  postForm('/mailboxes', again(mailboxes, create)),
  getPage('/guest-mailbox', async (request) => page(await guestPage(request))),
  postForm('/guest-mailbox', again(guestPage, createForGuest)),
  getPage('/mailboxes/{email}', mailboxPage),
  getPage('/mailboxes/{email}/message', async (request) => page(await messagePage(request))),
  postForm('/mailboxes/{email}/message', changeMessage, 'text'),
  getPage('/sent-mail', async (request) => page(await sentPage(request))),
  getPage('/mail-forward', showForwardRequest),
  postForm('/mail-forward', agreeToForward),
  getPage('/mailboxes/{email}/html', showHtml),
  getPage('/mailboxes/{email}/text', sendText),
  getPage('/mailboxes/{email}/attachment', sendAttachment),
];

async function mailboxes(request: PageRequest, state?: FormState) {
  requireViewer(request);
  return <MailboxesPage site={request.site} mailboxes={await boxesOf(request.call)} state={state} />;
}

async function create(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  const made = await call.email.create({
    name: body.text('name'),
    expiresIn: body.text('expiresIn'),
  });
  return goTo(mailboxPath(made.email));
}

async function guestPage({ site, call }: PageRequest, state?: FormState) {
  return <GuestPage site={site} task={await call.email.publicChallenge()} state={state} />;
}

async function createForGuest(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  const made = await call.email.createPublic({ token: body.string('token') ?? '' });
  return goTo(mailboxPath(made.email));
}

async function mailboxPage(request: PageRequest): Promise<PageAnswer> {
  const { site } = request;
  const inbox = await inboxOf(request);
  return page(<MailboxPage site={site} inbox={inbox} changes={mayChange(site, inbox.mailbox)} />);
}

async function messagePage(request: PageRequest, state?: FormState) {
  const { site, call } = request;
  const email = request.params.email ?? '';
  const message = await messageOf(request);
  const id = encodeURIComponent(message.messageId);
  const pictures = asksForPictures(request);
  const htmlUrl =
    message.html === '' ? null : `${mailboxPath(email)}/html?id=${id}${pictures ? '&pictures=once' : ''}`;
  const text = message.text.trim() === '' ? sanitisedToText(message.html) : message.text;
  const mine = holds(site, await call.email.info({ email }));
  // An administrator who looks into a mailbox leaves no mark for its owner.
  if (message.unread && (mine || site.viewer === null) && !isPrefetch(request.header))
    await call.email.markRead({ email, messageId: message.messageId, read: true });
  const inbox = await inboxOf(request);
  const sent = mine
    ? await call.email.sent({ email, messageId: message.messageId, pageSize: SHOWN_SENDINGS })
    : { items: [] };
  const answers = mine && mayMake(site.viewer) && inbox.mailbox.status === 'OPEN';
  return (
    <MessagePage
      site={site}
      inbox={inbox}
      message={message}
      text={text}
      htmlUrl={htmlUrl}
      pictures={pictures}
      isPlain={choiceOf(request.query, 'as', ['plain'], '') === 'plain'}
      answers={answers}
      previews={await picturesOf(request, message, ({ contentType }) => /^image\//i.test(contentType))}
      sent={sent.items}
      state={state}
    />
  );
}

/** What the viewer sent about a message, on its page. */
const SHOWN_SENDINGS = 10;

async function sentPage(request: PageRequest) {
  const { site, call, query } = request;
  requireViewer(request);
  const state = choiceOf(query, 'state', SENT_STATES, '');
  const list = await call.email.sent({ page: pageNumber(query), state: state === '' ? null : state });
  return <SentPage site={site} list={list} state={state} />;
}

async function changeMessage(request: PageRequest): Promise<PageAnswer> {
  const { call, params, query, body } = request;
  const message = named({ params, query });
  const action = body.string('action');
  if (action === 'reply') {
    return orShowAgain(
      request,
      async () => {
        await call.email.reply({ ...message, text: body.string('text') });
        return goTo(`${mailboxPath(message.email)}?done=answered`);
      },
      (state) => messagePage(request, state),
    );
  }
  if (action === 'unread') {
    await call.email.markRead({ ...message, read: false });
    return goTo(`${mailboxPath(message.email)}?done=saved`);
  }
  await call.email.deleteMessage(message);
  return goTo(`${mailboxPath(message.email)}?done=deleted`);
}

const codeOf = ({ query, body }: PageRequest): string => query.over(body).string('code');

async function showForwardRequest(request: PageRequest): Promise<PageAnswer> {
  const code = codeOf(request);
  const asked = await request.call.email.forwardRequest({ code });
  return page(<ForwardPage site={request.site} request={asked} code={code} />);
}

async function agreeToForward(request: PageRequest): Promise<PageAnswer> {
  const agreed = await request.call.email.agreeToForward({ code: codeOf(request) });
  return page(<ForwardPage site={request.site} request={agreed} code={null} />);
}

/** Whether the pictures that a mail names elsewhere are wanted, this time. */
const asksForPictures = ({ query }: PageRequest): boolean =>
  choiceOf(query, 'pictures', ['once'], '') === 'once';

async function showHtml(request: PageRequest): Promise<PageAnswer> {
  const remotePictures = asksForPictures(request);
  const html = await withPictures(request, await messageOf(request, true));
  return { as: 'foreign', html: remotePictures ? withRemotePictures(html) : html, remotePictures };
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

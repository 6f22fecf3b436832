/** Pages that wait for an event (messenger verification, new mail). One WebSocket, reconnected when it drops. */
import { listen } from './listen.js';

const SOON_MS = 5_000;

const verify = document.querySelector<HTMLElement>('[data-verify]')?.dataset.verify;
const mailbox = document.querySelector<HTMLElement>('[data-mailbox]');

if (verify) {
  listen(`/ws/verify?telCode=${encodeURIComponent(verify)}`, {
    onEvent: (event) => {
      if (event.type === 'verified') location.assign('/web/login?done=verified');
    },
  });
}
// Somebody activates the account: then this page leads to where it signs in.
if (document.querySelector('[data-waits]')) {
  setInterval(async () => {
    const answer = await fetch(location.pathname, { method: 'HEAD' }).catch(() => null);
    if (answer?.redirected && document.activeElement?.matches('input') !== true) location.assign(answer.url);
  }, SOON_MS);
}
if (mailbox) {
  const email = encodeURIComponent(mailbox.dataset.mailbox ?? '');
  // A form that was sent leads elsewhere; what it changes is announced before its answer is here.
  let leaving = false;
  document.addEventListener('submit', () => {
    leaving = true;
  });
  listen(`/ws/email?email=${email}&shown=${mailbox.dataset.newest ?? ''}`, {
    onEvent: () => {
      if (!leaving) location.reload();
    },
  });
}

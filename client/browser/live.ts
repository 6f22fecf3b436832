/** Pages that wait for an event (messenger verification, new mail). One WebSocket, reconnected when it drops. */
const SOON_MS = 5_000;
/** Longest retry delay while the server does not respond. */
const SELDOM_MS = 60_000;

const verify = document.querySelector<HTMLElement>('[data-verify]')?.dataset.verify;
const mailbox = document.querySelector<HTMLElement>('[data-mailbox]');

if (verify) {
  listen(`/ws/verify?telCode=${encodeURIComponent(verify)}`, (event) => {
    if (event.type === 'verified') location.assign('/web/login?done=verified');
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
  listen(`/ws/email?email=${email}&shown=${mailbox.dataset.newest ?? ''}`, () => {
    if (!leaving) location.reload();
  });
}

function listen(path: string, onEvent: (event: Record<string, unknown>) => void, wait = SOON_MS): void {
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path);
  let next = Math.min(2 * wait, SELDOM_MS);
  socket.addEventListener('open', () => {
    wait = next = SOON_MS;
  });
  socket.addEventListener('message', (message) => {
    const event = parse(String(message.data));
    if (event && event.type !== 'channel_ready') onEvent(event);
  });
  socket.addEventListener('close', (event) => {
    const refused = event.code >= 4000;
    if (!refused) setTimeout(() => listen(path, onEvent, next), wait);
  });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

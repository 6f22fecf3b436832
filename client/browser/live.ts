/** Pages that wait for something: the messenger's verification, a mailbox. One socket, tried again when it drops. */
const retryAfter = 5_000;
const tries = 60;

const verify = document.querySelector<HTMLElement>('[data-verify]')?.dataset.verify;
const mailbox = document.querySelector<HTMLElement>('[data-mailbox]')?.dataset;

if (verify) {
  listen(`/ws/verify?telCode=${encodeURIComponent(verify)}`, (event) => {
    if (event.type === 'verified') location.assign('/web/login?done=verified');
  });
}
if (mailbox) {
  const email = encodeURIComponent(mailbox.mailbox ?? '');
  listen(`/ws/email?email=${email}&shown=${mailbox.newest ?? ''}`, () => location.reload());
}

function listen(path: string, onEvent: (event: Record<string, unknown>) => void, left = tries): void {
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path);
  socket.addEventListener('message', (message) => {
    const event = parse(String(message.data));
    if (event && event.type !== 'channel_ready') onEvent(event);
  });
  socket.addEventListener('close', (event) => {
    const refused = event.code >= 4000;
    if (!refused && left > 0) setTimeout(() => listen(path, onEvent, left - 1), retryAfter);
  });
}

function parse(text: string): Record<string, unknown> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

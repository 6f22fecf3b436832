/** How long a message stays, in milliseconds. */
const SHOWN_MS = 3500;

/** Shows a short message, which screen readers announce. */
export function toast(text: string): void {
  const message = document.createElement('p');
  message.textContent = text;
  document.querySelector('.toasts')?.replaceChildren(message);
  setTimeout(() => message.remove(), SHOWN_MS);
}

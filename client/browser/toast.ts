/** How long a message stays, in milliseconds. */
const shownFor = 3500;

/** Says something in passing; read out by screen readers. */
export function toast(text: string): void {
  const message = document.createElement('p');
  message.textContent = text;
  document.querySelector('.toasts')?.replaceChildren(message);
  setTimeout(() => message.remove(), shownFor);
}

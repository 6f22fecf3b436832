/** Offers the sheet of a phone for sharing; where there is none, or a mouse, copying is all one needs. */
export function offerSharing(): void {
  if (typeof navigator.share !== 'function' || !matchMedia('(pointer: coarse)').matches) return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      // Whoever closes the sheet has changed their mind, which is no error.
      navigator
        .share({ url: button.dataset.share ?? '', title: button.dataset.title ?? '' })
        .catch(() => undefined);
    });
  }
}

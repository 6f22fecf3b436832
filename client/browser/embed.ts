/** Embed settings: a live preview of the embed in a chat application. */
import { expandPlaceholders } from '../../routers/base/embed.js';

const form = document.querySelector<HTMLFormElement>('form[data-script="embed"]');
const preview = document.querySelector<HTMLElement>('[data-embed]');

if (form && preview) {
  const sample = {
    uid: 'K3TT7A2B',
    size: 482_133,
    filetype: 'png',
    uploader: preview.dataset.username ?? '',
    username: preview.dataset.username ?? '',
    url: `${location.origin}/r/K3TT7A2B`,
  };
  const update = (): void => {
    const data = new FormData(form);
    for (const part of ['authorName', 'title', 'description']) {
      const place = preview.querySelector(`[data-part="${part}"]`);
      if (place) place.textContent = expandPlaceholders(String(data.get(part) ?? ''), sample);
    }
    const color = String(data.get('color') ?? '');
    preview.style.borderLeftColor = CSS.supports('color', color) ? color : '';
    preview.classList.toggle('off', data.get('enabled') !== 'true');
  };
  form.addEventListener('input', update);
  update();
}

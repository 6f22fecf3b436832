import { t } from './speech.js';

/** Lets links to a page that has a part for it open that part above this page; anything else is a plain link. */
export function openAbove(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-dialog]'))
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      void show(link.href);
    });
}

async function show(href: string): Promise<void> {
  const part = await partOf(href).catch(() => null);
  if (part === null) return location.assign(href);
  const dialog = document.createElement('dialog');
  dialog.className = 'above';
  dialog.setAttribute('aria-label', part.querySelector('h2')?.textContent ?? '');
  const form = document.createElement('form');
  form.method = 'dialog';
  const close = document.createElement('button');
  close.className = 'button plain';
  close.textContent = t('Close');
  form.append(close);
  dialog.append(part, form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** The part of another page of this site that stands by itself; null if it has none. */
async function partOf(href: string): Promise<Element | null> {
  const page = await pageAt(href);
  const part = page?.querySelector('[data-dialog-part]') ?? null;
  return part === null ? null : document.adoptNode(part);
}

/** Another page of this site. Read by a request, because the content policy lets no script make a page of a text. */
const pageAt = (href: string): Promise<Document | null> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.addEventListener('loadend', () => resolve(request.status === 200 ? request.responseXML : null));
    request.open('GET', href);
    request.send();
  });

/** Whether and how a form seals what it sends; without the library for it, which is loaded once it is needed. */
import type { SealedFor } from '../../src/sealed.js';
import { find } from '../find.js';

/** Shows and requires the field that a choice needs; nothing in a form that offers none. */
export function offerSealing(form: HTMLFormElement): void {
  const choice = form.querySelector<HTMLSelectElement>('#seal');
  const show = (): void => {
    for (const part of form.querySelectorAll<HTMLElement>('[data-seal-part]')) {
      part.hidden = part.dataset.sealPart !== choice?.value;
      find<HTMLInputElement>(part, 'input').required = !part.hidden;
    }
  };
  choice?.addEventListener('change', show);
  const recipient = /^#(age1[0-9a-z]+)$/.exec(location.hash)?.[1];
  // The page of a sealed collection says for whom its files are sealed.
  if (choice !== null && recipient !== undefined) {
    choice.value = 'to';
    find<HTMLInputElement>(form, '#seal-to').value = recipient;
  }
  // A browser may have restored the choice.
  show();
}

/** For whom a form seals; null if it does not. */
export function sealedFor(form: HTMLFormElement): SealedFor | null {
  const choice = form.querySelector<HTMLSelectElement>('#seal');
  switch (choice?.value ?? '') {
    case '':
      return null;
    case 'passphrase':
      return { passphrase: find<HTMLInputElement>(form, '#seal-passphrase').value };
    case 'to':
      return {
        to: find<HTMLInputElement>(form, '#seal-to')
          .value.split(/[\s,]+/)
          .filter(Boolean),
      };
    case 'own':
      return { to: [choice?.dataset.own ?? ''] };
    default:
      return {};
  }
}

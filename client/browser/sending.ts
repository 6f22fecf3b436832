/** A form on its way is not sent again: on a slow line a second press would make two of everything. */
import { toast } from './toast.js';

/** Forms that the server has yet to answer, each with the button that sent it. */
const underWay = new Map<HTMLFormElement, HTMLElement | null>();

/**
 * Holds back the second press on every form that posts. Forms that only ask may be sent again, and a form
 * whose script took the event over sends nothing here. What comes back from the back/forward cache is free.
 */
export function sendOnce(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[method="post"]')) return;
    if (event.defaultPrevented) return;
    if (underWay.has(form)) {
      event.preventDefault();
      // Nothing tells a page that somebody stopped its loading, so the way on is said.
      toast('This is being sent. If nothing comes, reload the page and look before you send it again');
      return;
    }
    // Only said and shown: the value of a disabled button would not be sent.
    event.submitter?.setAttribute('aria-disabled', 'true');
    underWay.set(form, event.submitter);
  });
  addEventListener('pageshow', () => {
    for (const button of underWay.values()) button?.removeAttribute('aria-disabled');
    underWay.clear();
  });
}

/** Sends each form only once: on a slow connection, a second click would create everything twice. */
import { t } from './speech.js';
import { toast } from './toast.js';

/** Forms that wait for a response, each with the button that submitted it. */
const underWay = new Map<HTMLFormElement, HTMLElement | null>();

/**
 * Ignores a second submit of every form that posts. Search forms may be sent again, and forms handled by a script send
 * nothing here. Pages from the back/forward cache start fresh.
 */
export function sendOnce(): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('[method="post"]')) return;
    if (event.defaultPrevented) return;
    if (underWay.has(form)) {
      event.preventDefault();
      // A page does not notice when the user stops loading, so the message says what to do.
      toast(
        t(
          'This is already being sent. If nothing happens, reload the page and check before you send it again',
        ),
      );
      return;
    }
    // Only marked as disabled: a disabled button would not send its value.
    event.submitter?.setAttribute('aria-disabled', 'true');
    underWay.set(form, event.submitter);
  });
  addEventListener('pageshow', () => {
    for (const button of underWay.values()) button?.removeAttribute('aria-disabled');
    underWay.clear();
  });
}

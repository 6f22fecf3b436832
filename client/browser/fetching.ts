/** Shows that the server fetches a file, from the moment in which the form is sent. */
const bar = document.querySelector<HTMLProgressElement>('[data-fetching]');
const form = bar?.closest('form');

function show(isFetching: boolean): void {
  if (!bar || !form) return;
  bar.hidden = !isFetching;
  for (const button of form.querySelectorAll('button')) button.disabled = isFetching;
}

form?.addEventListener('submit', () => show(true));
// The browser may show this page as it was left: after a step back, nothing is fetched any more.
addEventListener('pageshow', () => show(false));

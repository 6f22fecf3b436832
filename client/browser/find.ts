/** Finds an element that the page must contain; throws if it is missing. */
export function find<T extends HTMLElement = HTMLElement>(place: HTMLElement, selector: string): T {
  const found = place.querySelector<T>(selector);
  if (found === null) throw new Error(`no ${selector} here`);
  return found;
}

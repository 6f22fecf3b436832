/** The element below another that a selector names; the page has it, or is broken. */
export function find<T extends HTMLElement = HTMLElement>(place: HTMLElement, selector: string): T {
  const found = place.querySelector<T>(selector);
  if (found === null) throw new Error(`no ${selector} here`);
  return found;
}

import { fail } from '../../../routers/base/errors.js';
import { localizable } from '../../../routers/base/language/localizable.js';

/** A link of the footer. */
interface FooterLink {
  readonly label: string;
  readonly url: string;
}

/** Links as a text area has them: one on each line, its text and then its address. */
export const linksAsText = (links: readonly FooterLink[]): string =>
  links.map(({ label, url }) => `${label} ${url}`).join('\n');

/** The links that somebody wrote in a text area; 400 for a line without a text and an address. */
export function linksInText(text: string): FooterLink[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      // The address is the last word.
      const at = Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t')) + 1;
      const label = line.slice(0, at).trim();
      if (label === '')
        fail(
          'INVALID',
          localizable('footerLinks: “{line}” needs a text and an address, with a space between them', {
            line,
          }),
        );
      return { label, url: line.slice(at) };
    });
}

/** Reads the flat XML of the S3 API: no relevant attributes, and no element nested in one of the same name. */

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The inner XML of every element with this name, in order. */
export function elements(xml: string, name: string): string[] {
  // Two steps, because a single expression would scan the rest of the text again for every unclosed element.
  const opening = new RegExp(`<${name}(?:\\s[^<>]*)?>`, 'g');
  const found: string[] = [];
  while (opening.test(xml)) {
    const end = xml.indexOf(`</${name}>`, opening.lastIndex);
    if (end === -1) break;
    found.push(xml.slice(opening.lastIndex, end));
    opening.lastIndex = end;
  }
  return found;
}

/** The text of the first element with this name, or null. */
export function firstText(xml: string, name: string): string | null {
  const inner = elements(xml, name)[0];
  if (inner === undefined) return null;
  return inner.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[named] ?? whole;
  });
}

/** Reads the flat XML of the S3 API: no attributes that matter, no element nested in one of its own name. */

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The inner XML of every element of this name, in order. */
export function elements(xml: string, name: string): string[] {
  // Two steps, since one expression would look through the rest of the text again for every element left open.
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

/** The text of the first element of this name, or null. */
export function firstText(xml: string, name: string): string | null {
  const inner = elements(xml, name)[0];
  if (inner === undefined) return null;
  return inner.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[named] ?? whole;
  });
}

/** Reads the flat XML of the S3 API: no attributes that matter, no element nested in one of its own name. */

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** The inner XML of every element of this name, in order. */
export function elements(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 'gs');
  return Array.from(xml.matchAll(pattern), (match) => match[1] ?? '');
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that no XML document may contain, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A value as XML: an object as elements named by its fields, anything else as text. */
export function toXml(name: string, value: unknown): string {
  const content =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([field, inner]) => toXml(field, inner))
          .join('')
      : String(value ?? '')
          .replace(FORBIDDEN, '')
          .replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
  return `<${name}>${content}</${name}>`;
}

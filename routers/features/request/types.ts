import { formatNamed, storedExtension } from '../../base/ports/media/formats.js';
import type { MediaFacts } from '../../base/ports/media/media.js';

/** The extension at the end of a file name, in lower case; null for none. */
const extensionIn = (name: string | null): string | null =>
  /\.([a-z0-9]{1,15})$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? null;

/** Whether a file of this content and name is of one of the types; every file is of no types at all. */
export function isOfTypes(types: readonly string[], facts: MediaFacts, name: string | null): boolean {
  if (types.length === 0) return true;
  const named = extensionIn(name);
  return types.some((type) => {
    if (type.startsWith('.')) return hasExtension(type.slice(1), facts, named);
    return type.endsWith('/*')
      ? facts.mimeType.startsWith(type.slice(0, -1))
      : facts.mimeType.split(';', 1)[0] === type;
  });
}

/**
 * What a file is, its content says. Only where that says little, as with documents that are archives inside, the name
 * decides; never where it names a picture, a video or audio.
 */
function hasExtension(wanted: string, facts: MediaFacts, named: string | null): boolean {
  if (facts.extension === wanted || storedExtension(wanted) === facts.extension) return true;
  return facts.kind === 'other' && named === wanted && formatNamed(wanted) === undefined;
}

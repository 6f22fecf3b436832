import type {
  MediaFacts,
  MetadataPolicy,
  MetadataState,
} from '../../../../routers/base/ports/media/media.js';
import type { Edit, Plan } from '../edits.js';
import { driverOf } from '../formats/index.js';
import type { ByteSource } from '../source.js';
import { blankEmbedded } from './embedded.js';

/**
 * How a file has to change so that its metadata follows the policy, and so that a movie's index comes first. Null if
 * it is fine as it is, and always with `keep`: such a file is stored exactly as it was sent. Parts after damage are
 * not changed.
 */
export async function planCleaning(
  source: ByteSource,
  facts: MediaFacts,
  policy: MetadataPolicy,
): Promise<Plan | null> {
  if (policy === 'keep') return null;
  const edits = await findEdits(source, facts, policy);
  const moved = (await driverOf(facts.extension).indexFirst?.(source)) ?? null;
  if (moved !== null) return { order: moved.order, edits: [...moved.edits, ...edits] };
  return edits.length === 0 ? null : { order: [{ start: 0, end: source.size }], edits };
}

async function findEdits(
  source: ByteSource,
  facts: MediaFacts,
  policy: 'strip' | 'location',
): Promise<Edit[]> {
  const { clean } = driverOf(facts.extension);
  if (clean !== undefined) return clean(source, policy);
  return facts.kind === 'image' ? blankEmbedded(source) : [];
}

/** What is known of the metadata of a file once it is cleaned; null for what is no medium. */
export function metadataAfter(facts: MediaFacts, policy: MetadataPolicy): MetadataState | null {
  if (facts.kind === 'other' && facts.unidentified === undefined) return null;
  if (policy === 'keep') return 'kept';
  const { clean, cleansPartly } = driverOf(facts.extension);
  return clean !== undefined && cleansPartly !== true ? 'removed' : 'mayRemain';
}

import type { PageRequest } from '../request.js';

/** A collection of the viewer that files can be added to. */
export interface Offered {
  readonly uniqueId: string;
  readonly title: string;
  /** It takes sealed files only. */
  readonly sealed: boolean;
}

/** So many fit into a list to choose from. */
const MAX_OFFERED = 50;

/** The newest of them, and the one with this id, if the viewer has it: it comes first. A pack keeps its files. */
export async function offeredCollections({ call }: PageRequest, chosen: string): Promise<Offered[]> {
  const { content } = await call.collection.mine({ size: MAX_OFFERED });
  const newest = content.filter(({ kind }) => kind !== 'pack');
  if (chosen === '' || newest.some(({ uniqueId }) => uniqueId === chosen)) return newest;
  const found = await call.collection.get({ uniqueId: chosen, part: { page: 0, size: 1 } }).catch(() => null);
  return found === null || found.kind === 'pack' ? newest : [found, ...newest];
}

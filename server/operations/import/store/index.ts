import type { Services } from '../../../../routers/core/context.js';
import { collection } from './collection.js';
import { file } from './file.js';
import type { Imported, Place, Storable } from './item.js';
import { link } from './link.js';
import { paste } from './paste.js';

/** What comes from other products, and how. */
export const IMPORTED: {
  readonly [K in Storable['kind']]: Imported<Extract<Storable, { kind: K }>>;
} = { image: file, paste, url: link, collection };

/**
 * Stores an item with its old id, or with a generated one if that is taken or not possible here, and with its former
 * addresses and counts. Returns its id. Throws a `DomainError` if it cannot be stored here.
 */
export const storeItem = (app: Services, item: Storable, place: Place): Promise<string> =>
  IMPORTED[item.kind].store(app, item as never, place);

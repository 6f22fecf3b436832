import { insertLinks } from '../../../db/content/link/link.js';
import { storing } from '../../core/items/create.js';
import { linkItem } from '../../core/webhook/events.js';

/** Stores new links in one transaction. */
export const storeLinks = storing({
  ...{ type: 'URL', event: 'url.created', insert: insertLinks, itemOf: linkItem },
  counted: () => ({ bytes: 0 }),
});

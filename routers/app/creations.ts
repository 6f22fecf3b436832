import type { Db } from '../../db/engine/connect.js';
import type { Services } from '../core/context.js';
import { type Creations, creationsOf } from '../core/items/creations.js';
import { storeImages } from '../features/image/upload/store.js';
import { storeLinks } from '../features/link/create.js';
import { storePastes } from '../features/paste/create.js';

/** Stores new items of every kind, those that arrive together by the same statements. `appOf` is asked when one comes. */
export function openCreations(db: Db, appOf: () => Services): Creations {
  return {
    file: creationsOf(
      db,
      () => 0,
      (trx, group) => storeImages(appOf(), trx, group),
    ),
    paste: creationsOf(
      db,
      ({ item }) => item.size,
      (trx, group) => storePastes(appOf(), trx, group),
    ),
    link: creationsOf(
      db,
      () => 0,
      (trx, group) => storeLinks(appOf(), trx, group),
    ),
  };
}

import { insertLink } from '../../../../db/content/link/link.js';
import { cutText } from '../../../../routers/base/text/cut.js';
import type { Services } from '../../../../routers/core/context.js';
import { readTarget } from '../../../../routers/features/link/target.js';
import { wayWithRules } from '../../../../routers/features/link/way-input.js';
import type { SourceLink } from '../port.js';
import { common, type Imported, type Insert, inRows, MAX_TEXT_LENGTH, type Place, tagsOf } from './item.js';

/** Short links. */
export const link: Imported<SourceLink> = {
  called: 'links',
  refers: false,
  against: async ({ settings }, { target }) => {
    readTarget(target, settings);
    return null;
  },
  store: inRows(prepareLink),
};

async function prepareLink(app: Services, item: SourceLink, place: Place): Promise<Insert> {
  const originalUrl = readTarget(item.target, app.settings);
  const way = wayWithRules(item.rules ?? [], app.settings);
  return async (trx, uniqueId) => {
    const link = await insertLink(trx, {
      ...common(item, place, uniqueId),
      originalUrl,
      maxUses: item.maxUses,
      forwardQuery: item.forwardQuery,
      way,
      tags: tagsOf(item),
      note: item.note === null ? null : cutText(item.note, MAX_TEXT_LENGTH),
    });
    if (item.visits > 0) await trx('short_urls').where('id', link.id).update('visits', item.visits);
    return link.id;
  };
}

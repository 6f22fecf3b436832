import { type Domain, updateDomain } from '../../../../db/content/link/domain.js';
import { insertLink } from '../../../../db/content/link/link.js';
import { DomainError } from '../../../../routers/base/errors.js';
import { cutText } from '../../../../routers/base/text/cut.js';
import type { Services } from '../../../../routers/core/context.js';
import { addHost } from '../../../../routers/features/domain/add.js';
import { readHost } from '../../../../routers/features/domain/host.js';
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
  store: async (app, item, place) => {
    const domain = await domainOf(app, item, place);
    return inRows((_, one: SourceLink) => prepareLink(app, one, place, domain), domain)(app, item, place);
  },
};

async function prepareLink(
  app: Services,
  item: SourceLink,
  place: Place,
  domain: Domain | null,
): Promise<Insert> {
  const originalUrl = readTarget(item.target, app.settings);
  const way = wayWithRules(item.rules ?? [], app.settings);
  const said = [item.note, item.host && domain === null ? `was at ${item.host.name}` : null];
  const note = said.filter(Boolean).join('; ') || null;
  return async (trx, uniqueId) => {
    const link = await insertLink(trx, {
      ...common(item, place, uniqueId),
      originalUrl,
      maxUses: item.maxUses,
      forwardQuery: item.forwardQuery,
      way,
      tags: tagsOf(item),
      note: note === null ? null : cutText(note, MAX_TEXT_LENGTH),
    });
    if (item.visits > 0) await trx('short_urls').where('id', link.id).update('visits', item.visits);
    return link.id;
  };
}

/**
 * The host of a link as a domain of its account here, which has yet to be proven; null if it had none of its own, or if that
 * can be none here: domains are off, the name is of this installation, or the account has as many as it can have.
 */
async function domainOf(app: Services, { host }: SourceLink, { ownerId }: Place): Promise<Domain | null> {
  if (!host || app.settings.domains === 'off') return null;
  try {
    const name = await readHost(host.name, app.settings);
    const fallbackUrl = host.fallbackUrl === null ? null : readTarget(host.fallbackUrl, app.settings);
    return await app.db.write(async (trx) => {
      const { domain, isNew } = await addHost(app, trx, ownerId, name);
      return isNew && fallbackUrl !== null ? updateDomain(trx, domain, { fallbackUrl }) : domain;
    });
  } catch (error) {
    if (error instanceof DomainError && error.status < 500) return null;
    throw error;
  }
}

import { DomainError } from '../../../routers/base/errors.js';
import type { Reply } from '../../reply/reply.js';
import { type Entrance, entrance, json, refuseForm } from '../door.js';
import { listed, ROOT, summaryOf } from './form.js';

const DONE: Reply = { as: 'empty', status: 204 };
/** Tags at once, at most. */
const MAX_TAGS = 100;

const all = <T>(data: readonly T[]) =>
  listed(data, data.length, { page: 0, pageSize: Math.max(1, data.length) });

/** The tags of links. They are those of all other items, too, so that changing one needs the scope for that. */
export const tags: readonly Entrance[] = [
  entrance('GET', `${ROOT}/tags`, {
    procedures: ['url.tags'],
    answer: async ({ call, fields }) => {
      const known = await call('url.tags', undefined);
      const search = fields.string('searchTerm').toLowerCase();
      return json({
        tags: all(known.map(({ tag }) => tag).filter((tag) => tag.toLowerCase().includes(search))),
      });
    },
  }),
  entrance('GET', `${ROOT}/tags/stats`, {
    procedures: ['url.tags'],
    answer: async ({ call }) => {
      const known = await call('url.tags', undefined);
      const data = known.map(({ tag, links, visits, bots }) => ({
        ...{ tag, shortUrlsCount: links, visitsSummary: summaryOf(visits, bots), visitsCount: visits },
      }));
      return json({ tags: all(data) });
    },
  }),
  entrance('PUT', `${ROOT}/tags`, {
    procedures: ['library.renameTag'],
    answer: async ({ call, wire: { body } }) => {
      const [tag, name] = [body.string('oldName'), body.string('newName')];
      await call('library.renameTag', { tag, name, merges: false });
      return DONE;
    },
  }),
  entrance('DELETE', `${ROOT}/tags`, {
    procedures: ['library.removeTag'],
    answer: async ({ call, fields }) => {
      // JSON may have anything there.
      const given: unknown = fields.list('tags');
      const names = Array.isArray(given) ? given.map((tag) => String(tag).toLowerCase()) : [];
      if (names.length === 0 || names.length > MAX_TAGS)
        return refuseForm(`tags: name 1 to ${MAX_TAGS} tags`);
      // Some may be there no more.
      for (const tag of new Set(names)) await call('library.removeTag', { tag }).catch(unlessUnknown);
      return DONE;
    },
  }),
];

function unlessUnknown(error: unknown): void {
  if (!(error instanceof DomainError) || error.reason !== 'NOT_FOUND') throw error;
}

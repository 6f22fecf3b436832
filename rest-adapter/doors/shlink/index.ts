import { type Door, entrance, json } from '../door.js';
import { domains } from './domains.js';
import { problem, ROOT } from './form.js';
import { redirectRules } from './rules.js';
import { shortUrls } from './short-urls.js';
import { tags } from './tags.js';
import { visits } from './visits.js';

const health = (path: string) =>
  entrance('GET', path, {
    procedures: ['site.alive'],
    open: true,
    answer: async () =>
      json({
        status: 'pass',
        version: '4.4.0',
        links: { about: 'https://shlink.io', project: 'https://github.com/shlinkio/shlink' },
      }),
  });

const notFoundAt = (path: string): string => {
  const [, kind = ''] = /^\/rest\/v3\/(tags|domains)/i.exec(path) ?? [];
  return `${kind === '' ? 'short-url' : kind.toLowerCase().slice(0, -1)}-not-found`;
};

/** The REST API of Shlink, version 3. Paths that go on behind a code come before those of the code alone. */
export const shlink: Door = {
  entrances: [
    ...['/rest/health', `${ROOT}/health`].map(health),
    ...visits,
    ...redirectRules,
    ...shortUrls,
    ...tags,
    ...domains,
    entrance('GET', `${ROOT}/mercure-info`, {
      procedures: ['url.totals'],
      answer: async ({ call }) => {
        await call('url.totals', undefined);
        return problem(501, 'mercure-not-configured', 'This server does not tell of visits by Mercure.');
      },
    }),
  ],
  refuse: ({ status, reason, message }, { fields, path, hasKey }) => {
    if (status === 401) return problem(401, hasKey ? 'invalid-api-key' : 'missing-authentication', message);
    if (reason === 'ID_TAKEN')
      return problem(400, 'non-unique-slug', message, { customSlug: fields.string('customSlug') });
    if (reason === 'TAG_TAKEN') return problem(409, 'tag-conflict', message);
    if (status === 404) return problem(404, notFoundAt(path), message);
    return problem(status, status === 400 ? 'invalid-data' : 'refused', message);
  },
};

import { fail } from '../../routers/base/errors.js';
import type { LinkRecord } from '../../routers/features/link/record.js';
import { type Fields, NO_FIELDS } from '../fields.js';
import type { SimpleReply } from '../reply/write.js';
import { titleIn } from './address.js';
import { type Door, entrance, json, momentOf, refuseForm, typed, type Visit } from './door.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Characters that no XML document may contain, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A value as XML: an object as elements named by its fields, anything else as text. */
function toXml(name: string, value: unknown): string {
  const content =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([field, inner]) => toXml(field, inner))
          .join('')
      : String(value ?? '')
          .replace(FORBIDDEN, '')
          .replace(/[&<>"]/g, (found) => ENTITIES[found] ?? found);
  return `<${name}>${content}</${name}>`;
}

/** What this door says that it is. */
const VERSION = { version: '1.9.2', db_version: '507' };

const PROCEDURES = ['url.create', 'url.get', 'url.own', 'url.list', 'url.totals'] as const;
type Asked = Visit<(typeof PROCEDURES)[number]>;
/** What an action answers: the fields, and the text of the format `simple`. */
type Answer = readonly [fields: Record<string, unknown>, simple: string];

const OK = { message: 'success', statusCode: '200' };
const SORTS: Readonly<Record<string, 'views' | 'viewsUp' | 'newest' | 'random'>> = {
  ...{ top: 'views', bottom: 'viewsUp', last: 'newest', rand: 'random', random: 'random' },
};

/** An entry of a table, by a name that a client sends. */
const named = <V>(table: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** A title is kept as the note. */
const titleOf = ({ note, originalUrl }: LinkRecord): string => titleIn(note).title ?? originalUrl ?? '';
/** The keyword of a short address, or the keyword itself. */
const keywordIn = (fields: Fields): string =>
  decode(
    (fields.string('shorturl').trim().split(/[?#]/, 1)[0] ?? '')
      .replace(/^https?:\/\/[^/]*\/(?:r\/)?/i, '')
      .replace(/(?<!\/)\/+$/, ''),
  );
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const ACTIONS: Readonly<Record<string, (asked: Asked) => Promise<Answer>>> = {
  shorturl: async ({ call, fields }) => {
    const link = await call('url.create', {
      url: fields.string('url'),
      uniqueId: fields.text('keyword'),
      maxUses: undefined,
      expiresAt: undefined,
      password: undefined,
      note: fields.text('title'),
    });
    const { uniqueId, originalUrl, urlSet, createdAt } = link;
    const title = titleOf(link);
    const answer = {
      url: { keyword: uniqueId, url: originalUrl, title, date: momentOf(createdAt), ip: '' },
      ...{ status: 'success', code: '', message: `${originalUrl} added to database`, title },
      ...{ shorturl: urlSet.shortUrl, statusCode: '200' },
    };
    return [answer, urlSet.shortUrl];
  },
  expand: async ({ call, fields }) => {
    const link = await call('url.get', { uniqueId: keywordIn(fields) });
    const { uniqueId: keyword, originalUrl, urlSet } = link;
    const longurl = originalUrl ?? fail('PASSWORD_REQUIRED');
    return [{ keyword, shorturl: urlSet.shortUrl, longurl, title: titleOf(link), ...OK }, longurl];
  },
  'url-stats': async ({ call, fields }) => {
    const link = await call('url.own', { uniqueId: keywordIn(fields) });
    return [{ ...OK, link: toStats(link) }, String(link.visits)];
  },
  stats: async ({ call, fields }) => {
    const { links, visits } = await call('url.totals', undefined);
    const filter = fields.string('filter').toLowerCase();
    const pageSize = Math.min(Math.max(Math.trunc(Number(fields.text('limit') ?? 10)) || 0, 0), 1_000);
    // What YOURLS does with a filter that it does not know.
    const sort = named(SORTS, filter) ?? 'views';
    const { items } = pageSize === 0 ? { items: [] } : await call('url.list', { sort, page: 0, pageSize });
    const listed = Object.fromEntries(items.map((link, at) => [`link_${at + 1}`, toStats(link)]));
    const stats = { total_links: links, total_clicks: visits };
    return [{ links: listed, stats, ...OK }, items.map(({ urlSet }) => urlSet.shortUrl).join('\n')];
  },
  'db-stats': async ({ call }) => {
    const { links, visits } = await call('url.totals', undefined);
    return [{ 'db-stats': { total_links: links, total_clicks: visits }, ...OK }, `${links} ${visits}`];
  },
  version: async () => [{ ...VERSION, ...OK }, VERSION.version],
};

const toStats = (link: LinkRecord) => ({
  ...{ shorturl: link.urlSet.shortUrl, url: link.originalUrl, title: titleOf(link) },
  ...{ timestamp: momentOf(link.createdAt), ip: '', clicks: link.visits },
});

const CALLBACK = /^[\w.[\]]{1,100}$/;

/** An answer in the format that is asked for. */
function written(fields: Fields, answer: Record<string, unknown>, simple: string, status = 200): SimpleReply {
  const format = fields.string('format').toLowerCase();
  if (format === 'simple') return typed('text/plain', simple, status);
  if (format === 'xml')
    return typed(
      'application/xml',
      `<?xml version="1.0" encoding="UTF-8"?>\n${toXml('result', answer)}`,
      status,
    );
  const callback = fields.string('callback');
  if (format !== 'jsonp' && callback === '') return json(answer, status);
  const script = typed('application/javascript', `${callback}(${scriptOf(answer)})`, status);
  // It is for pages of other sites, which have to know a key.
  return { ...script, headers: { 'cross-origin-resource-policy': 'cross-origin' } };
}

/** JSON that is also a script in every browser. */
const scriptOf = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u2028\u2029<]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const answer = async (asked: Asked) => {
  const { fields } = asked;
  const isJsonp = fields.string('format').toLowerCase() === 'jsonp' || fields.string('callback') !== '';
  if (isJsonp && !CALLBACK.test(fields.string('callback')))
    return refuseForm('callback: use letters, digits, underscores, dots and brackets');
  const act = named(ACTIONS, fields.string('action').toLowerCase());
  if (act === undefined) return refuseForm('Unknown or missing "action" parameter');
  return written(fields, ...(await act(asked)));
};

const OPTIONS = { procedures: PROCEDURES, answer };

/** The API of YOURLS. */
export const yourls: Door = {
  entrances: [entrance('GET', '/yourls-api.php', OPTIONS), entrance('POST', '/yourls-api.php', OPTIONS)],
  keyIn: (fields) => fields.filled('signature', 'password'),
  refuse: ({ status: given, reason, message }, { fields }) => {
    const shown = CALLBACK.test(fields.string('callback'))
      ? fields
      : fields.string('format') === 'xml' || fields.string('format') === 'simple'
        ? fields
        : NO_FIELDS;
    // A wrong key is 403 there.
    const status = given === 401 && reason === 'UNAUTHENTICATED' ? 403 : given;
    const isTaken = reason === 'ID_TAKEN';
    const isShorten = fields.string('action').toLowerCase() === 'shorturl' && status !== 403;
    const answer = isShorten
      ? { status: 'fail', code: isTaken ? 'error:keyword' : 'error:url', message, statusCode: String(status) }
      : { message, errorCode: String(status) };
    return written(shown, answer, message, status);
  },
};

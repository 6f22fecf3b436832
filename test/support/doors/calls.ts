/** A request to each entrance of each door, that is answered as done if nothing forbids it. */
import type { DoorName } from '../../../rest-adapter/doors/names.js';
import type { ProcedurePath } from '../../../rest-adapter/route.js';
import { fileForm, type RequestOptions, type TestAccount, type TestServer } from '../../harness.js';

/** Items of the account that calls. */
export interface Items {
  readonly image: string;
  readonly paste: string;
  readonly url: string;
}

export interface DoorCall {
  readonly door: DoorName;
  readonly method: string;
  /** As the door names it. */
  readonly entrance: string;
  /** With the names of items in braces. */
  readonly path: string;
  /** Whose scope it needs. */
  readonly procedure: ProcedurePath;
  readonly options?: (items: Items) => RequestOptions;
  /** The status of a success, of an unknown caller, and of an item of somebody else. */
  readonly done?: number;
  readonly unknown?: number;
  readonly foreign?: number;
  /** Whether a paused account may do it, anybody may, or it can be done once. */
  readonly reads?: boolean;
  readonly open?: boolean;
  readonly ends?: boolean;
  /** Whether no other header is looked at. */
  readonly authorizedOnly?: boolean;
  /** The header with the key, if `Authorization` is not usual there. */
  readonly header?: string;
}

/** Items for the calls of an account. */
export async function itemsOf(server: TestServer, { key }: TestAccount): Promise<Items> {
  const make = async (path: string, options: RequestOptions): Promise<string> => {
    const answer = await server.request('POST', path, { key, ...options });
    return answer.body.uniqueId;
  };
  return {
    image: await make('/image/upload', { form: fileForm('some text', 'a.txt') }),
    paste: await make('/paste/create', { json: { text: 'a paste' } }),
    url: await make('/url/create', { json: { url: 'https://example.com/a' } }),
  };
}

type Given = Omit<DoorCall, 'door' | 'method' | 'entrance' | 'path'> & { readonly entrance?: string };
const calls = (door: DoorName, ...list: readonly (readonly [operation: string, given: Given])[]) =>
  list.map(([operation, given]): DoorCall => {
    const [method = '', path = ''] = operation.split(' ');
    return { door, method, path, entrance: path.split('?', 1)[0] ?? '', ...given };
  });

const yourls = (query: string, given: Given) =>
  ['GET', 'POST'].map(
    (method) => [`${method} /yourls-api.php?${query}`, { unknown: 403, ...given }] as const,
  );

const textFile = () => ({ form: fileForm('some text', 'a.txt') });
const fileIn = (field: string): RequestOptions => {
  const form = new FormData();
  form.set(field, new File(['some text'], 'a.txt'));
  return { form };
};

export const CALLS: readonly DoorCall[] = [
  ...calls('picgo', [
    'POST /upload',
    { procedure: 'upload.several', options: () => ({ form: fileForm('some text', 'a.txt') }) },
  ]),
  ...calls(
    'yourls',
    ...yourls('action=shorturl&url=https://example.com', { procedure: 'url.create' }),
    ...yourls('action=expand&shorturl={url}', { procedure: 'url.get', reads: true }),
    ...yourls('action=url-stats&shorturl={url}', { procedure: 'url.own', reads: true, foreign: 404 }),
    ...yourls('action=stats&filter=top&limit=5', { procedure: 'url.list', reads: true }),
    ...yourls('action=db-stats', { procedure: 'url.totals', reads: true }),
  ),
  ...calls(
    'lsky',
    ['POST /api/v1/upload', { procedure: 'image.upload', options: textFile }],
    [
      'DELETE /api/v1/images/{image}',
      { procedure: 'image.delete', foreign: 403, ends: true, entrance: '/api/v1/images/{key}' },
    ],
    ['GET /api/v1/images', { procedure: 'library.images', reads: true }],
    ['GET /api/v1/profile', { procedure: 'image.summary', reads: true }],
    ['POST /api/v1/tokens', { procedure: 'auth.uploadKey', open: true }],
    ['DELETE /api/v1/tokens', { procedure: 'user.deleteThisKey', open: true }],
  ),
  ...calls(
    'curl',
    ['POST /', { procedure: 'image.upload', options: textFile }],
    ['POST /documents', { procedure: 'paste.create', options: () => ({ body: 'some text' }) }],
    ['GET /documents/{paste}', { procedure: 'paste.get', open: true, entrance: '/documents/{key}' }],
    ['GET /raw/{paste}', { procedure: 'paste.get', open: true, entrance: '/raw/{key}' }],
    [
      'PUT /a.txt',
      { procedure: 'image.upload', options: () => ({ body: 'some text' }), entrance: '/{name}' },
    ],
    ['POST /{image}', { procedure: 'library.deleteByLink', open: true, entrance: '/{uniqueId}' }],
    ['DELETE /{image}', { procedure: 'library.deleteByLink', open: true, entrance: '/{uniqueId}' }],
    ['GET /{paste}', { procedure: 'site.follow', open: true, entrance: '/{uniqueId}' }],
  ),
  ...calls(
    'imgur',
    ...['image', 'upload', 'image.json', 'upload.json'].map(
      (name) => [`POST /3/${name}`, { procedure: 'upload.source', options: () => fileIn('image') }] as const,
    ),
    ['GET /3/image/{image}', { procedure: 'image.unlock', open: true, entrance: '/3/image/{hash}' }],
    [
      'DELETE /3/image/{image}',
      { procedure: 'image.delete', foreign: 403, ends: true, entrance: '/3/image/{hash}' },
    ],
    ['GET /3/account/me/images', { procedure: 'library.images', reads: true }],
    [
      'GET /3/account/me/images/0',
      { procedure: 'library.images', reads: true, entrance: '/3/account/me/images/{page}' },
    ],
    ['GET /3/credits', { procedure: 'image.summary', reads: true }],
  ),
  ...calls(
    'chevereto',
    ['GET /api/1/upload?source=aGVsbG8gd29ybGQ=', { procedure: 'upload.source' }],
    ['POST /api/1/upload', { procedure: 'upload.source', options: () => fileIn('source') }],
  ),
  ...calls(
    'mailpit',
    ...['info', 'tags'].map(
      (path) => [`GET /api/v1/${path}`, { procedure: 'inboxes.count', reads: true }] as const,
    ),
    ...['messages', 'search?query=a'].map(
      (path) => [`GET /api/v1/${path}`, { procedure: 'inboxes.find', reads: true }] as const,
    ),
    // Nobody has a message.
    ...['', '/headers', '/raw', '/part/{n}'].map(
      (more) =>
        [
          `GET /api/v1/message/latest${more.replace('{n}', '1')}`,
          {
            procedure: 'inboxes.locate',
            reads: true,
            done: 404,
            entrance: `/api/v1/message/{id}${more.replace('{n}', '{part}')}`,
          },
        ] as const,
    ),
    [
      'PUT /api/v1/messages',
      { procedure: 'inboxes.mark', reads: true, options: () => ({ json: { IDs: [], Read: true } }) },
    ],
    ['DELETE /api/v1/messages', { procedure: 'inboxes.remove' }],
    ['DELETE /api/v1/search?query=a', { procedure: 'inboxes.remove' }],
  ),
  ...calls(
    'shlink',
    ...['/rest/health', '/rest/v3/health'].map(
      (path) => [`GET ${path}`, { procedure: 'site.alive', open: true }] as const,
    ),
    ['GET /rest/v3/short-urls', { procedure: 'url.list', reads: true }],
    [
      'POST /rest/v3/short-urls',
      { procedure: 'url.create', options: () => ({ json: { longUrl: 'https://example.com/x' } }) },
    ],
    ...(
      [
        ['GET', '', { procedure: 'url.own', reads: true, foreign: 404 }],
        ['GET', '/visits', { procedure: 'url.visits', reads: true, foreign: 404 }],
        ['DELETE', '/visits', { procedure: 'url.forgetVisits', foreign: 403 }],
        ['GET', '/redirect-rules', { procedure: 'url.own', reads: true, foreign: 404 }],
        [
          'POST',
          '/redirect-rules',
          { procedure: 'url.change', foreign: 403, options: () => ({ json: { redirectRules: [] } }) },
        ],
        ['PATCH', '', { procedure: 'url.change', foreign: 403, options: () => ({ json: { tags: ['x'] } }) }],
        ['DELETE', '', { procedure: 'url.delete', foreign: 403, ends: true, done: 204 }],
      ] as const
    ).map(
      ([method, more, given]) =>
        [
          `${method} /rest/v3/short-urls/{url}${more}`,
          { ...given, entrance: `/rest/v3/short-urls/{shortCode+}${more}` },
        ] as const,
    ),
    ...['GET visits', 'GET visits/orphan', 'DELETE visits/orphan'].map(
      (at) => [at.replace(' ', ' /rest/v3/'), { procedure: 'url.totals', reads: true }] as const,
    ),
    ['GET /rest/v3/domains', { procedure: 'domain.list', reads: true }],
    [
      'PATCH /rest/v3/domains/redirects',
      { procedure: 'domain.change', done: 404, options: () => ({ json: { domain: 'none.example' } }) },
    ],
    ['GET /rest/v3/visits/non-orphan', { procedure: 'url.visits', reads: true }],
    [
      'GET /rest/v3/tags/any/visits',
      { procedure: 'url.visits', reads: true, entrance: '/rest/v3/tags/{tag}/visits' },
    ],
    [
      'GET /rest/v3/domains/DEFAULT/visits',
      { procedure: 'url.visits', reads: true, entrance: '/rest/v3/domains/{domain}/visits' },
    ],
    [
      'PUT /rest/v3/tags',
      {
        procedure: 'library.renameTag',
        done: 404,
        options: () => ({ json: { oldName: 'none', newName: 'b' } }),
      },
    ],
    ['DELETE /rest/v3/tags?tags[]=none', { procedure: 'library.removeTag', done: 204 }],
    ...['tags', 'tags/stats'].map(
      (path) => [`GET /rest/v3/${path}`, { procedure: 'url.tags', reads: true }] as const,
    ),
    ['GET /rest/v3/mercure-info', { procedure: 'url.totals', reads: true, done: 501 }],
  ),
  ...calls(
    'mcp',
    [
      'POST /mcp',
      {
        ...{ procedure: 'site.alive', reads: true, authorizedOnly: true },
        options: () => ({ json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} } }),
      },
    ],
    ['GET /mcp', { procedure: 'site.alive', open: true }],
    ['DELETE /mcp', { procedure: 'site.alive', open: true }],
  ),
];

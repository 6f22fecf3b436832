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
];

/** The other ways in which something of an account is stored: by others, from elsewhere, in packs, as a text or a link. */
import { DomainError } from '../../../../routers/base/errors.js';
import { PLAIN } from '../../../../server/operations/import/port.js';
import { storeItem } from '../../../../server/operations/import/store/index.js';
import { fileForm } from '../../../harness.js';
import {
  fresh,
  fromPage,
  inParts,
  json,
  NAME,
  NO_FILE,
  NO_WISH,
  type Place,
  pageForm,
  type Refusal,
  type Sent,
  said,
  type Way,
  wish,
} from './way.js';

/** A link of the account, made before anything is restricted. */
async function linkOf({ server, user }: Place): Promise<string> {
  const { message } = (await server.request('GET', '/request/get/@me', { key: user.key })).body;
  return message.content[0].uniqueId;
}

/** A file of a pack, whose address the account or a portal asks for. */
async function inPack(place: Place, { bytes, expiresAt }: Sent, reserver: string): Promise<Refusal> {
  const { server } = place;
  const uniqueId = `${fresh()}.bin`;
  const asked = await server.request('POST', `/files/presigned-url/put?filename=${uniqueId}&contentType=`, {
    key: reserver,
  });
  if (asked.status !== 200) return said(asked);
  const put = await fetch(asked.body.url, { method: 'PUT', body: new Uint8Array(bytes) });
  if (!put.ok) return put.text();
  const expiryDate = typeof expiresAt === 'number' ? expiresAt - Date.now() : 0;
  const item = { uniqueId, fileName: NAME, fileType: '', size: bytes.length, expiryDate };
  return json(place, '/files/register', { items: [item] });
}

/** A key that reads as a visitor, of the owner of the server. */
async function portalKey({ server }: Place): Promise<string> {
  const fields = { name: 'portal', scopes: ['images:write'], asVisitor: true };
  return (await server.request('POST', '/user/get/@me/keys', { key: server.owner.key, json: fields })).body
    .message.key;
}

/** The newest item of the account, made before anything is restricted. */
const ownItem = async ({ server, user }: Place, kind: string): Promise<string> =>
  (await server.request('GET', `/user/get/@me/items?kind=${kind}&sort=oldest`, { key: user.key })).body
    .message.content[0].uniqueId;

const FILES = { table: 'images', type: 'IMAGE' } as const;
const OF_GUESTS = { table: 'images', type: 'FILE', exempt: NO_WISH } as const;
const PACKS = { table: 'images', type: 'FILE' } as const;
const PASTES = { table: 'pastes', type: 'PASTE', exempt: NO_FILE } as const;
const LINKS = { table: 'short_urls', type: 'URL', exempt: NO_FILE } as const;
const textOf = ({ bytes }: Sent): string => bytes.toString('latin1').replaceAll(/[^ -~]/g, '.');

/** Each by its name. */
export const OTHER_WAYS: Readonly<Record<string, Way>> = {
  'a guest': {
    ...OF_GUESTS,
    procedures: ['request.receive'],
    send: async (place, { bytes }) => {
      const path = `/request/open/${await linkOf(place)}/files`;
      return said(await place.server.request('POST', path, { form: fileForm(bytes, NAME) }));
    },
  },
  'a guest, in several requests': {
    ...OF_GUESTS,
    procedures: ['upload.begin', 'upload.append'],
    send: async (place, sent) => inParts(place, { bytes: sent.bytes }, await linkOf(place), false),
  },
  'a file of a pack': {
    ...PACKS,
    procedures: ['pack.presign', 'pack.fill', 'pack.register'],
    send: (place, sent) => inPack(place, sent, place.user.key),
  },
  'a file of a pack, by a portal': {
    ...PACKS,
    procedures: ['pack.presign', 'pack.fill', 'pack.register'],
    send: async (place, sent) => inPack(place, sent, await portalKey(place)),
  },
  'other bytes of a file': {
    ...FILES,
    procedures: ['image.replace'],
    exempt: { life: 'the file lives as long as before', wish: 'the file lives as long as before' },
    send: async (place, { bytes }) => {
      const { server, user } = place;
      const path = `/image/get/${await ownItem(place, 'image')}`;
      const other = Buffer.concat([bytes, Buffer.from(fresh())]);
      return said(await server.request('PUT', path, { key: user.key, form: fileForm(other, NAME) }));
    },
  },
  'an import': {
    ...FILES,
    procedures: [],
    exempt: {
      life: 'an import keeps the end that an item had',
      wish: 'an import keeps the end that an item had',
      limits: 'limits do not apply to what an operator imports',
      pause: 'limits do not apply to what an operator imports',
    },
    send: async ({ server, user }, { bytes }) => {
      const name = fresh();
      const item = {
        ...PLAIN,
        kind: 'image',
        key: name,
        owner: null,
        createdAt: Date.now(),
        name: NAME,
        bytes,
        description: null,
        views: 0,
        maxViews: null,
      } as const;
      const place = { source: 'test', ownerId: user.id, adoptingIn: null };
      return storeItem(server.app.services, item, place).then(
        () => null,
        (error: unknown) => {
          if (error instanceof DomainError) return error.message;
          throw error;
        },
      );
    },
  },
  'a paste': {
    ...PASTES,
    procedures: ['paste.create'],
    send: (place, sent) => json(place, '/paste/create', { text: textOf(sent), ...wish(sent) }),
  },
  'a paste from a file': {
    ...PASTES,
    procedures: ['paste.create'],
    send: async ({ server, user }, sent) => {
      const form = fileForm(textOf(sent), 'a.txt', wish(sent));
      return said(await server.request('POST', '/paste/create', { key: user.key, form }));
    },
  },
  'a paste on the page': {
    ...PASTES,
    procedures: ['paste.create'],
    send: (place, sent) => {
      const form = pageForm(sent, { text: textOf(sent) });
      form.delete('file');
      return fromPage(place, '/paste-create', form);
    },
  },
  'a copy of a paste': {
    ...PASTES,
    procedures: ['paste.fork'],
    exempt: { ...NO_FILE, ...NO_WISH },
    send: async (place) => json(place, `/paste/get/${await ownItem(place, 'paste')}/fork`, {}),
  },
  'a link': {
    ...LINKS,
    procedures: ['url.create'],
    send: (place, sent) => json(place, '/url/create', { url: 'https://example.org/', ...wish(sent) }),
  },
  'a link on the page': {
    ...LINKS,
    procedures: ['url.create'],
    send: (place, sent) => {
      const form = pageForm(sent, { url: 'https://example.org/' });
      form.delete('file');
      return fromPage(place, '/url-create', form);
    },
  },
  'links from a list': {
    ...LINKS,
    procedures: ['url.import'],
    send: (place, sent) => json(place, '/url/import', [{ url: 'https://example.org/', ...wish(sent) }]),
  },
};

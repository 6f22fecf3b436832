/** The ways in which an account stores files of its own. */
import { createClient, HoldallError } from '../../../../client/src/index.js';
import { fileForm } from '../../../harness.js';
import { zip } from '../../media/archive-fixtures.js';
import { until } from '../../until.js';
import {
  fresh,
  fromPage,
  inParts,
  json,
  NAME,
  NO_WISH,
  type Place,
  pageForm,
  post,
  type Refusal,
  type Sent,
  said,
  serving,
  type Way,
  wish,
} from './way.js';

/** What an image tool sends by the file that its user installs. */
async function byTool({ server, user }: Place, sent: Sent): Promise<Refusal> {
  const path = '/user/get/@me/uploaders/holdall-image.sxcu';
  const got = await server.request('GET', path, { key: user.key });
  const { RequestURL, Headers, FileFormName } = JSON.parse(got.text);
  const form = new FormData();
  form.append(FileFormName, new Blob([new Uint8Array(sent.bytes)]), NAME);
  for (const [name, value] of Object.entries(wish(sent))) form.append(name, value);
  const answer = await fetch(RequestURL, { method: 'POST', headers: Headers, body: form });
  return answer.ok ? null : (await answer.json()).message;
}

async function byClient({ server, user }: Place, { bytes, expiresAt }: Sent, isFolder: boolean) {
  const client = createClient({ origin: server.origin, apiKey: user.key });
  const file = new Blob([new Uint8Array(bytes)]);
  const life = expiresAt === undefined ? {} : { expiresAt: String(expiresAt) };
  try {
    if (!isFolder) await client.upload(file, { name: NAME, ...life });
    else {
      const files = [{ path: `a/${NAME}`, size: bytes.length, open: async () => file }];
      const { failed } = await client.uploadFolder(fresh(), files, { ...life, memory: null });
      return failed[0] === undefined ? null : String((failed[0] as { error?: unknown }).error);
    }
    return null;
  } catch (error) {
    if (error instanceof HoldallError) return error.message;
    throw error;
  }
}

const FILES = { table: 'images', type: 'IMAGE' } as const;
const upload = { ...FILES, procedures: ['image.upload'] } as const;

/** Each by its name. */
export const FILE_WAYS: Readonly<Record<string, Way>> = {
  'a form': {
    ...upload,
    send: (place, sent) => post(place, '/image/upload', fileForm(sent.bytes, NAME, wish(sent))),
  },
  'a bare file': {
    ...upload,
    send: async ({ server, user }, sent) => {
      const query = new URLSearchParams({ filename: NAME, ...wish(sent) });
      const headers = { 'content-type': 'application/octet-stream' };
      const body = new Uint8Array(sent.bytes);
      return said(await server.request('POST', `/image/upload?${query}`, { key: user.key, headers, body }));
    },
  },
  'the older path for the cloud': {
    ...upload,
    send: (place, sent) => post(place, '/image/upload/cloud', fileForm(sent.bytes, NAME, wish(sent))),
  },
  'the page': { ...upload, send: (place, sent) => fromPage(place, '/image-upload', pageForm(sent)) },
  'a tool with a key of its own': { ...upload, send: byTool },
  'the client': { ...upload, send: (place, sent) => byClient(place, sent, false) },
  'a folder of the client': {
    ...upload,
    procedures: ['image.upload', 'collection.create'],
    send: (place, sent) => byClient(place, sent, true),
  },
  'an archive': {
    ...FILES,
    procedures: ['playlist.upload'],
    send: (place, sent) =>
      post(
        place,
        '/image/upload/zip',
        fileForm(zip([{ name: 'a.gif', data: sent.bytes }]), 'a.zip', wish(sent)),
      ),
  },
  'an archive on the page': {
    ...FILES,
    procedures: ['playlist.upload'],
    send: (place, sent) => {
      const archive = { ...sent, bytes: zip([{ name: 'a.gif', data: sent.bytes }]) };
      return fromPage(place, '/image-upload', pageForm(archive, { unpack: 'true' }));
    },
  },
  'an address for one file': {
    ...FILES,
    procedures: ['image.reserve', 'image.fillReserved', 'image.register'],
    send: async (place, sent) => {
      const { server, user } = place;
      const size = sent.bytes.length;
      const asked = await server.request('POST', '/image/generate-upload-url', {
        key: user.key,
        json: { contentType: 'image/gif', size, filename: NAME },
      });
      if (asked.status !== 200) return said(asked);
      const { url, uid, headers } = asked.body.message;
      const put = await fetch(url, { method: 'PUT', body: new Uint8Array(sent.bytes), headers });
      if (!put.ok) return (await put.json()).message;
      return json(place, '/image/register', { uniqueId: uid, ...wish(sent) });
    },
  },
  'several requests': {
    ...FILES,
    procedures: ['upload.begin', 'upload.append'],
    send: (place, sent) => inParts(place, sent, null, false),
  },
  'the first of several requests': {
    ...FILES,
    procedures: ['upload.begin'],
    send: (place, sent) => inParts(place, sent, null, true),
  },
  'a web address': {
    ...FILES,
    procedures: ['upload.fromUrl'],
    send: (place, sent) =>
      serving(sent.bytes, (url) => json(place, '/image/upload/url', { url, ...wish(sent) })),
  },
  'the door of PicGo': {
    ...FILES,
    procedures: ['upload.several'],
    exempt: NO_WISH,
    send: (place, { bytes }) => post(place, '//upload', fileForm(bytes, NAME)),
  },
  'a source at the door of Chevereto': {
    ...FILES,
    procedures: ['upload.source'],
    exempt: NO_WISH,
    send: async ({ server, user }, { bytes }) => {
      const fields = { key: user.key, json: { source: bytes.toString('base64') } };
      const { body } = await server.request('POST', '//api/1/upload', fields);
      return body.error?.message ?? null;
    },
  },
  'addresses at the door of PicGo': {
    ...FILES,
    procedures: ['upload.several'],
    exempt: NO_WISH,
    send: (place, { bytes }) => serving(bytes, (url) => json(place, '//upload', { list: [url] })),
  },
  'a web address on the page': {
    ...FILES,
    procedures: ['upload.startFetching'],
    send: (place, sent) =>
      serving(sent.bytes, async (url) => {
        const { server, user } = place;
        const form = new URLSearchParams(
          [...pageForm(sent)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
        );
        form.set('url', url);
        const headers = { origin: server.origin };
        const begun = await server.request('POST', '//web/image-upload/url', {
          key: user.key,
          headers,
          form,
        });
        if (begun.status !== 303) return begun.text;
        const look = () => server.request('GET', `/${begun.headers.get('location')}`, { key: user.key });
        await until(async () => (await look()).status === 200);
        const { text } = await look();
        return text.includes('<h1 dir="auto">Uploaded</h1>') ? null : text;
      }),
  },
};

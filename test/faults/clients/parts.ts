import * as assert from 'uvu/assert';
import type { Actor } from './actions.js';
import { type Client, sha256, Unexpected } from './client.js';
import type { Ledger, PartialUpload } from './ledger.js';

const VERSION = { 'tus-resumable': '1.0.0' };
const TYPE = 'application/offset+octet-stream';
/** Uploads in parts that are under way at once. */
const MAX_PARTIAL = 6;
const MAX_BYTES = 400_000;

/** Sends the next part of an upload, or begins one. */
export async function sendPart({ client, ledger, random }: Actor): Promise<void> {
  const open = [...ledger.partial].filter(
    ({ busy, acknowledged, bytes }) => !busy && acknowledged < bytes.length,
  );
  if (open.length < MAX_PARTIAL) return begin(client, ledger, random.bytes(random.between(2, MAX_BYTES)));
  const upload = random.pick(open);
  upload.busy = true;
  const { acknowledged, bytes, path } = upload;
  const end = Math.min(bytes.length, acknowledged + random.between(1, MAX_BYTES / 3));
  upload.sent = Math.max(upload.sent, end);
  const answer = await client.send('PATCH', path, TYPE, bytes.subarray(acknowledged, end), {
    ...VERSION,
    'upload-offset': String(acknowledged),
  });
  if (answer.status !== 204) throw new Unexpected(`part of ${path}`, answer);
  upload.acknowledged = end;
  upload.busy = false;
}

async function begin(client: Client, ledger: Ledger, bytes: Buffer): Promise<void> {
  const answer = await client.send('POST', '/image/upload/resumable', undefined, undefined, {
    ...VERSION,
    'upload-length': String(bytes.length),
    'content-length': '0',
  });
  if (answer.status !== 201) throw new Unexpected('begin of an upload', answer);
  const path = new URL(answer.headers.location ?? '').pathname.replace(/^\/v1/, '');
  ledger.partial.add({ path, bytes, acknowledged: 0, sent: 0, busy: false });
}

/**
 * What a restarted server has of an upload is at least what was acknowledged, and nothing that was never sent. A
 * complete one becomes an item with its bytes, perhaps later.
 */
export async function checkParts(client: Client, { partial, uploads }: Ledger): Promise<void> {
  for (const upload of partial) {
    const offset = await offsetOf(client, upload);
    assert.ok(
      offset >= upload.acknowledged,
      `${offset} bytes are there, ${upload.acknowledged} acknowledged`,
    );
    assert.ok(offset <= upload.sent, `${offset} bytes are there, ${upload.sent} sent`);
    Object.assign(upload, { acknowledged: offset, busy: false });
    if (offset < upload.bytes.length) continue;
    const { message } = await client.ask('GET', upload.path);
    assert.ok(['processing', 'done'].includes(message.state), `${message.state}: ${message.reason}`);
    if (message.state === 'processing') continue;
    assert.is(message.image.sha256, sha256(upload.bytes), `bytes of ${upload.path}`);
    uploads.set(message.image.uniqueId, sha256(upload.bytes));
    partial.delete(upload);
  }
}

async function offsetOf(client: Client, { path }: PartialUpload): Promise<number> {
  const answer = await client.send('HEAD', path, undefined, undefined, VERSION);
  if (answer.status !== 200) throw new Unexpected(`offset of ${path}`, answer);
  return Number(answer.headers['upload-offset']);
}

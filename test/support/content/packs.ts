/** File packs, made as a separate front end makes them. */
import * as assert from 'uvu/assert';
import type { TestServer } from '../../harness.js';

let named = 0;

/** A pack with a file of each text: its id, the addresses of its files below `/files/`, and their hashes. */
export async function makePack(server: Pick<TestServer, 'request'>, key: string, texts: readonly string[]) {
  const items: object[] = [];
  const files: string[] = [];
  for (const text of texts) {
    named += 1;
    const filename = `1716-${named}-${process.pid}.txt`;
    const path = `/files/presigned-url/put?filename=${filename}&contentType=text/plain`;
    const { pathname, search } = new URL((await server.request('POST', path, { key, json: {} })).body.url);
    const sent = await server.request('PUT', `/${pathname}${search}`, {
      body: text,
      headers: { 'content-type': 'text/plain' },
    });
    assert.is(sent.status, 200, sent.text);
    files.push(filename);
    items.push({ uniqueId: filename, fileName: `${named}.txt`, fileType: 'text/plain', size: text.length });
  }
  const made = await server.request('POST', '/files/register', { key, json: { items } });
  assert.is(made.status, 200, made.text);
  const { packId } = made.body;
  const { items: images } = (await server.request('GET', `/collection/${packId}`, { key })).body.message;
  const blobs: string[] = images.map(({ sha256 }: { sha256: string }) => sha256);
  return { packId: String(packId), files, blobs };
}

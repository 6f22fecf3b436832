import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PART } from '../../routers/base/parts.js';

/** How deep a list may lie in a message: a list of records with lists. */
const DEPTH = 3;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !('toJSON' in value);

/** Longer texts are serialised in pieces of this length, in characters. */
const CHUNK_LENGTH = 64 * 1024;
const LONG_TEXT = 16 * CHUNK_LENGTH;

/** Whether a value has a list or a text that is too long to be serialised at once. */
export function isLong(value: unknown, depth = DEPTH): boolean {
  if (typeof value === 'string') return value.length > LONG_TEXT;
  if (!isRecord(value) || depth < 0) return false;
  if (isList(value) && value.length > PART) return true;
  for (const name in value) if (isLong(value[name as keyof typeof value], depth - 1)) return true;
  return false;
}

/** The JSON of a value, each text of so little that others do not wait for it. */
function* jsonOf(value: unknown, depth = DEPTH): Generator<string> {
  if (!isLong(value, depth)) {
    yield JSON.stringify(value);
  } else if (typeof value === 'string') {
    yield '"';
    // A character that is cut in two is two escapes, which mean the same.
    for (let from = 0; from < value.length; from += CHUNK_LENGTH)
      yield JSON.stringify(value.slice(from, from + CHUNK_LENGTH)).slice(1, -1);
    yield '"';
  } else if (isList(value)) {
    yield '[';
    for (const [index, one] of value.entries()) {
      if (index > 0) yield ',';
      // As in a list of its own, where what has no JSON is null.
      if (isLong(one, depth - 1)) yield* jsonOf(one, depth - 1);
      else yield JSON.stringify([one]).slice(1, -1);
    }
    yield ']';
  } else {
    let between = '{';
    for (const [name, one] of Object.entries(value as object)) {
      if (one === undefined) continue;
      yield `${between}${JSON.stringify(name)}:`;
      yield* jsonOf(one, depth - 1);
      between = ',';
    }
    yield '}';
  }
}

/** The JSON of a value that `isLong`, made in parts with turns for others. */
async function chunksOf(value: object): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let text = '';
  const cut = () => {
    chunks.push(Buffer.from(text));
    text = '';
  };
  for (const piece of jsonOf(value)) {
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
    cut();
    await nextTurn();
  }
  cut();
  return chunks;
}

/** Writes a body that `isLong`; `begin` sends the headers for its length. A client that leaves ends it. */
export async function writeLong(
  res: ServerResponse,
  body: object,
  begin: (bytes: number) => void,
): Promise<void> {
  const chunks = await chunksOf(body);
  begin(chunks.reduce((sum, { length }) => sum + length, 0));
  await pipeline(Readable.from(chunks), res).catch(() => res.destroy());
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const START = randomBytes(4).toString('hex');
const ids = new WeakMap<IncomingMessage, string>();
let count = 0;

/** The ID of a request, the same in all its log lines and unique to it. */
export function requestIdOf(req: IncomingMessage): string {
  const known = ids.get(req);
  if (known !== undefined) return known;
  count += 1;
  const id = `${START}-${count.toString(36)}`;
  ids.set(req, id);
  return id;
}

import { type Client, sha256, Unexpected } from './client.js';
import type { Ledger } from './ledger.js';
import type { Random } from './random.js';

const WORKERS = 12;

/**
 * Puts mixed load on a server until it dies: uploads, some of them of bytes that are stored already, pastes,
 * visits and deletions. The ledger is told only what was acknowledged; what was under way at the end may or
 * may not have happened. Rejects when the server gives a wrong answer.
 */
export async function runLoad(client: Client, ledger: Ledger, random: Random): Promise<void> {
  const shared = Array.from({ length: 3 }, () => random.bytes(20_000));
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (;;) {
        try {
          await act(client, ledger, random, shared);
          ledger.acknowledged += 1;
        } catch (error) {
          if (error instanceof Unexpected) throw error;
          return;
        }
      }
    }),
  );
}

async function act(client: Client, ledger: Ledger, random: Random, shared: readonly Buffer[]): Promise<void> {
  const die = random.next();
  if (die < 0.3) return upload(client, ledger, random.bytes(random.between(1, 60_000)));
  if (die < 0.4) return upload(client, ledger, random.pick(shared));
  if (die < 0.6) return paste(client, ledger, random.bytes(random.between(1, 2000)).toString('base64'));
  if (die < 0.9) return visit(client, ledger, random);
  return remove(client, ledger, random);
}

async function upload(client: Client, ledger: Ledger, bytes: Buffer): Promise<void> {
  ledger.uploads.set(await client.upload(bytes), sha256(bytes));
}

async function paste(client: Client, ledger: Ledger, text: string): Promise<void> {
  ledger.pastes.set(await client.create('/paste/create', 'application/json', JSON.stringify({ text })), text);
}

async function visit(client: Client, ledger: Ledger, random: Random): Promise<void> {
  const [id, link] = random.pick([...ledger.links]);
  link.sent += 1;
  const { status, body } = await client.send('GET', `/url/r/${id}`);
  if (status === 301) link.answered += 1;
  else if (status !== 404 || link.maxUses === null) throw new Unexpected(`visit of ${id}`, { status, body });
}

async function remove(client: Client, ledger: Ledger, random: Random): Promise<void> {
  const [kind, items] =
    random.next() < 0.7 ? (['image', ledger.uploads] as const) : (['paste', ledger.pastes] as const);
  if (items.size === 0) return;
  const id = random.pick([...items.keys()]);
  // From here on nobody may say whether it is there, until the deletion is acknowledged.
  items.delete(id);
  const answer = await client.send('DELETE', `/${kind}/get/${id}`);
  if (answer.status !== 200) throw new Unexpected(`deletion of ${kind} ${id}`, answer);
  ledger.gone.add(`/${kind}/get/${id}`);
}

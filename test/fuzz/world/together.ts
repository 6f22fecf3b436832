import type { People, PersonName } from './people.js';
import { Thing } from './thing.js';

type Name = string | number;

/** How things are made for the world; see `World`. */
export interface Making {
  readonly people: People;
  send(
    owner: PersonName,
    method: string,
    path: string,
    options?: object,
  ): Promise<{ readonly [field: string]: Name }>;
  thing(token: string): Promise<Name>;
  add(name: string, owner: PersonName, make: () => Promise<Name>, path: (name: Name) => string): void;
  set(name: string, thing: Thing<Name>): void;
  /** Status of a request by this account. */
  status(person: PersonName, path: string): Promise<number>;
}

/** Collections alone and with members, requests with a wall, and share links. */
export function addTogether({ people, send, thing, add, set, status }: Making): void {
  const collection = (owner: PersonName, fields: object) => async () => {
    const items = [{ uniqueId: await thing(owner === 'holder' ? 'image.mine' : 'image.foreign') }];
    const json = { title: 'open', items, ...fields };
    return (await send(owner, 'POST', '/collection', { json })).uniqueId ?? '';
  };
  const pathOf = (id: Name) => `/collection/${id}`;
  const secret = { title: 'guarded-6f1c', isPublic: false };
  add('collection.mine', 'holder', collection('holder', {}), pathOf);
  add('collection.foreign', 'keeper', collection('keeper', {}), pathOf);
  add('collection.private', 'keeper', collection('keeper', secret), pathOf);
  for (const [name, role] of [
    ['viewed', 'viewer'],
    ['joined', 'adder'],
    ['edited', 'editor'],
    ['offered', null],
  ] as const) {
    const make = async () => {
      const id = await collection('keeper', { isPublic: false })();
      const { username } = await people.get('holder');
      if (role === null) await send('keeper', 'POST', `${pathOf(id)}/owner`, { json: { username } });
      else await send('keeper', 'PUT', `${pathOf(id)}/members/${username}`, { json: { role } });
      return id;
    };
    // The holder may leave, decline, or be replaced by another account.
    set(`collection.${name}`, new Thing(make, async (id) => (await status('holder', pathOf(id))) === 200));
  }
  for (const [whose, owner] of [
    ['mine', 'holder'],
    ['foreign', 'keeper'],
  ] as const) {
    const json = { title: 'open', wall: 'all' };
    const request = async () => (await send(owner, 'POST', '/request/create', { json })).uniqueId ?? '';
    set(
      `request.${whose}`,
      new Thing(request, async (id) => (await status(owner, `/request/get/${id}`)) === 200),
    );
  }
  for (const kind of ['image', 'paste', 'collection'] as const) {
    const links = async () =>
      `${kind === 'collection' ? '/collection' : `/${kind}/get`}/${await thing(`${kind}.mine`)}/links`;
    const made = async () => send('holder', 'POST', await links(), { json: { label: 'open' } });
    const fresh = (name: string, make: () => Promise<Name>) => set(name, new Thing(make, async () => false));
    fresh(`link.${kind}`, async () => (await made()).linkId ?? 0);
    fresh(
      `secret.${kind}`,
      async () =>
        String((await made()).url)
          .split('/')
          .at(-1) ?? '',
    );
  }
}

import { fileForm, type TestServer } from '../../harness.js';
import { signRoute } from '../../standins/mailgun.js';
import { PIXEL } from '../../support/web/webhook.js';
import type { Persona } from '../inputs/draft.js';
import { type Credentials, People, type PersonName, seesAll } from './people.js';
import { Thing } from './thing.js';
import { addTogether } from './together.js';

/** Contained in everything that only its owner and moderators may read. */
const GUARDED = 'guarded-6f1c';
/** The password of everything locked. */
const ITEM_PASSWORD = 'open-6f1c';

type Name = string | number;
type Making = () => Promise<Name>;

/**
 * The accounts and things that requests refer to. Things that a request may have destroyed are checked, and
 * created again when they are needed, so that every request finds its target.
 */
export class World {
  readonly people: People;
  readonly #things = new Map<string, Thing<Name>>();
  #made = 0;

  constructor(private readonly server: TestServer) {
    this.people = new People(server);
    this.#addImages();
    this.#addPastes();
    this.#addUrls();
    this.#addRest();
    addTogether({
      people: this.people,
      send: (...request) => this.#send(...request),
      thing: async (token) => (await this.#things.get(token)?.get()) ?? '',
      add: (...thing) => this.#add(...thing),
      set: (name, thing) => this.#things.set(name, thing),
      status: async (person, path) =>
        (await this.server.request('GET', path, { headers: await this.#key(person) })).status,
    });
  }

  /**
   * The value of a token. Callers with access to everything get the holder's things, which they may change
   * freely.
   */
  async resolve(token: string, persona: Persona): Promise<Name> {
    const [kind = '', which = ''] = token.split('.');
    if (which === 'uid') return (await this.people.get(kind as PersonName)).id;
    if (which === 'email' || which === 'username') return (await this.people.get(kind as PersonName))[which];
    const hidden = which === 'private' || which === 'locked' || which === 'foreign';
    const thing = this.#things.get(hidden && seesAll(persona) ? `${kind}.mine` : token);
    if (thing === undefined) throw new Error(`nothing is called ${token}`);
    return thing.get();
  }

  /** These may be gone or changed. */
  doubt(tokens: Iterable<string>): void {
    for (const token of tokens) this.#things.get(token)?.doubt();
  }

  /** Accounts may be gone or changed, with everything they owned. */
  doubtAll(): void {
    this.people.doubt();
    this.doubt(this.#things.keys());
  }

  /** Texts that strangers must never read. */
  async secrets(): Promise<readonly string[]> {
    const { email, key } = await this.people.get('keeper');
    return [GUARDED, email, key];
  }

  /** A thing owned by an account; a replacement account gets one of its own. */
  #add(name: string, owner: PersonName, make: Making, path: (name: Name) => string): void {
    let maker = 0;
    const makeAs = async () => {
      maker = (await this.people.get(owner)).id;
      return make();
    };
    const isThere = async (value: Name) => {
      if (maker !== (await this.people.get(owner)).id) return false;
      const { key } = this.server.owner;
      const { status } = await this.server.request('GET', path(encodeURIComponent(value)), { key });
      return status !== 404;
    };
    this.#things.set(name, new Thing(makeAs, isThere));
  }

  /** Things that cannot be checked without using them up are created for each request. */
  #addFresh(name: string, make: Making): void {
    this.#things.set(name, new Thing(make, async () => false));
  }

  async #key(owner: PersonName): Promise<Credentials> {
    return { 'x-api-key': (await this.people.get(owner)).key };
  }

  async #send(owner: PersonName, method: string, path: string, options: object = {}) {
    const answer = await this.server.request(method, path, { headers: await this.#key(owner), ...options });
    if (answer.status >= 300)
      throw new Error(`${method} ${path} as ${owner}: ${answer.status} ${answer.text}`);
    return answer.body.message;
  }

  #image(owner: PersonName, fields: Record<string, string> = {}, bytes: Uint8Array | null = null): Making {
    return async () => {
      this.#made += 1;
      const guarded = fields.private !== undefined || fields.password !== undefined;
      const name = guarded ? `${GUARDED}.txt` : 'open.txt';
      const form = fileForm(bytes ?? `${name} ${this.#made}`, name, { ...fields, desc: name });
      return (await this.#send(owner, 'POST', '/image/upload', { form })).uniqueId;
    };
  }

  #addImages(): void {
    const add = (name: string, owner: PersonName, fields = {}, bytes: Uint8Array | null = null) =>
      this.#add(`image.${name}`, owner, this.#image(owner, fields, bytes), (id) => `/image/info/${id}`);
    add('mine', 'holder');
    add('foreign', 'keeper');
    add('private', 'keeper', { private: 'true' });
    add('locked', 'keeper', { password: ITEM_PASSWORD });
    add('picture', 'holder', {}, PIXEL);
    add('once', 'holder', { maxViews: '1' });
    this.#gone('image', this.#image('holder'));
  }

  #gone(kind: string, make: Making): void {
    const makeAndDelete = async () => {
      const id = await make();
      await this.#send('holder', 'DELETE', `/${kind}/get/${id}`);
      return id;
    };
    this.#things.set(`${kind}.deleted`, new Thing(makeAndDelete, async () => true));
  }

  #addPastes(): void {
    const paste =
      (owner: PersonName, fields: Record<string, unknown> = {}): Making =>
      async () => {
        const guarded = fields.private !== undefined || fields.password !== undefined;
        const text = guarded ? GUARDED : 'open';
        return (await this.#send(owner, 'POST', '/paste/create', { json: { text, title: text, ...fields } }))
          .uniqueId;
      };
    const add = (name: string, owner: PersonName, fields = {}) =>
      this.#add(`paste.${name}`, owner, paste(owner, fields), (id) => `/paste/get/${id}`);
    add('mine', 'holder');
    add('foreign', 'keeper');
    add('private', 'keeper', { private: true });
    add('locked', 'keeper', { password: ITEM_PASSWORD });
    add('burn', 'holder', { burn: true });
    this.#gone('paste', paste('holder'));
  }

  #addUrls(): void {
    const shorten =
      (owner: PersonName, fields: Record<string, unknown> = {}): Making =>
      async () => {
        const url = `https://example.org/${fields.password === undefined ? 'open' : GUARDED}`;
        return (await this.#send(owner, 'POST', '/url/create', { json: { url, ...fields } })).uniqueId;
      };
    const add = (name: string, owner: PersonName, make: Making) =>
      this.#add(`url.${name}`, owner, make, (id) => `/url/get/${id}`);
    add('mine', 'holder', shorten('holder'));
    add('foreign', 'keeper', shorten('keeper'));
    add('locked', 'keeper', shorten('keeper', { password: ITEM_PASSWORD }));
    add('used', 'holder', async () => {
      const id = await shorten('holder', { maxUses: 1 })();
      await this.server.request('GET', `/url/r/${id}`);
      return id;
    });
    this.#gone('url', shorten('holder'));
  }

  #addRest(): void {
    for (const [whose, owner] of [
      ['mine', 'holder'],
      ['foreign', 'keeper'],
    ] as const) {
      const playlist = async () => {
        const images = [await this.#things.get(`image.${whose}`)?.get()];
        if (owner === 'keeper') images.push(await this.#things.get('image.private')?.get());
        const json = { imagesUids: images };
        return (await this.#send(owner, 'POST', '/image/playlist/create', { json })).uniqueId;
      };
      this.#add(`playlist.${whose}`, owner, playlist, (id) => `/image/playlist/get/${id}`);
      const mailbox = () =>
        this.#ofMany(
          owner,
          async () => (await this.#send(owner, 'POST', '/email/create', { json: {} })).email,
        );
      this.#add(`mailbox.${whose}`, owner, mailbox, (email) => `/email/${email}`);
      this.#addFresh(`message.${whose}`, () => this.#message(`mailbox.${whose}`));
    }
    this.#addFresh(
      'session',
      async () => (await this.#send('holder', 'GET', '/auth/me/sessions'))[0]?.id ?? 'none',
    );
    this.#addFresh(
      'invite',
      async () => (await this.#send('owner', 'POST', '/admin/invite/create', { json: {} })).code,
    );
    const json = { contentType: 'text/plain', size: 4 };
    const reserve = () =>
      this.#ofMany('holder', () => this.#send('holder', 'POST', '/image/generate-upload-url', { json }));
    this.#addFresh('reserved', async () => (await reserve()).uid);
    this.#addFresh('upload', async () => new URL((await reserve()).url).searchParams.get('token') ?? '');
    this.#addFresh('deletion', async () => {
      const { urlSet } = await this.#send('holder', 'POST', '/paste/create', { json: { text: 'x' } });
      return new URL(urlSet.deletionUrl).searchParams.get('token') ?? '';
    });
    for (const [name, password] of [
      ['item', ITEM_PASSWORD],
      ['account', this.server.owner.password],
    ] as const)
      this.#things.set(
        `password.${name}`,
        new Thing(
          async (): Promise<Name> => password,
          async () => true,
        ),
      );
  }

  /**
   * Creates things of which an account may have only so many; an account that has reached the limit is
   * replaced.
   */
  async #ofMany<T>(owner: PersonName, make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      this.people.replace(owner);
      throw error;
    }
  }

  async #message(mailbox: string): Promise<string> {
    this.#made += 1;
    const id = `fuzz-${this.#made}@example.net`;
    const recipient = String(await this.#things.get(mailbox)?.get());
    const fields = {
      recipient,
      from: 'ada@example.net',
      subject: mailbox === 'mailbox.foreign' ? GUARDED : 'open',
      'body-plain': 'text',
      'Message-Id': `<${id}>`,
      ...signRoute(),
    };
    const form = new URLSearchParams(fields);
    const { status, text } = await this.server.request('POST', '/email/inbound', { form });
    if (status !== 200) throw new Error(`a mail to ${recipient}: ${status} ${text}`);
    return id;
  }
}

import * as assert from 'uvu/assert';
import type { OwnedKind } from '../../../db/content/kinds.js';
import { fileForm, type RequestOptions, send } from '../../harness.js';
import { makePack } from '../../support/content/packs.js';
import type { Random } from './random.js';

type State = 'out' | 'in' | 'gone';

/** Something that goes into the trash and comes out of it. */
export interface Thing {
  readonly kind: OwnedKind;
  readonly id: string;
  /** Where it is seen and deleted, below `/v1`. */
  readonly path: string;
  /** The addresses of the files of a pack. */
  readonly files: readonly string[];
  /** Where it may be: two places if the answer to its last change never came. */
  states: readonly State[];
  /** Somebody is changing it. */
  busy: boolean;
}

const TRASH = '/user/get/@me/trash';
const TAGS = ['red', 'green', 'blue'] as const;

/** A caller of one run of the server. */
export class TrashClient {
  readonly #life: string;

  constructor(
    readonly origin: string,
    readonly key: string,
    readonly random: Random,
  ) {
    this.#life = random.bytes(6).toString('hex');
  }

  request(method: string, path: string, options: RequestOptions = {}) {
    return send(this.origin, method, path, { key: this.key, ...options });
  }

  async #done(method: string, path: string, json: object = {}) {
    const answer = await this.request(method, path, { json });
    assert.is(answer.status, 200, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  #tags = (): string[] => [...new Set([this.random.pick(TAGS), this.random.pick(TAGS)])];
  /** Several items have the same bytes, but not those whose removal a kill has interrupted: they wait for minutes (ADR 6). */
  #text = (): string => `text ${this.random.between(0, 6)} of ${this.#life}`;

  /** One thing of each kind, and a pack. */
  async make(): Promise<Thing[]> {
    const thing = (kind: OwnedKind, id: string, files: readonly string[] = []): Thing => {
      const path = kind === 'collection' ? `/collection/${id}` : `/${kind}/get/${id}`;
      return { kind, id, path, files, states: ['out'], busy: false };
    };
    const form = fileForm(this.#text(), 'a.txt', { tags: this.#tags().join(',') });
    const image = await this.request('POST', '/image/upload', { form });
    assert.is(image.status, 200, image.text);
    const paste = await this.#done('POST', '/paste/create', { text: this.#text(), tags: this.#tags() });
    const url = await this.#done('POST', '/url/create', { url: 'example.com', tags: this.#tags() });
    const collection = await this.#done('POST', '/collection', { title: 'Some', tags: this.#tags() });
    const { packId, files } = await makePack(this, this.key, [this.#text(), this.#text(), this.#text()]);
    return [
      thing('image', image.body.uniqueId),
      thing('paste', paste.uniqueId),
      thing('url', url.uniqueId),
      thing('collection', collection.uniqueId),
      thing('collection', packId, files),
    ];
  }

  /** Moves a thing to another place, and now and then the tags. */
  async change(thing: Thing): Promise<void> {
    if (this.random.next() < 0.1) await this.#mergeTags();
    const [state] = thing.states;
    const isLast = this.random.next() < 0.15;
    const next = isLast ? 'gone' : state === 'out' ? 'in' : 'out';
    thing.states = [state ?? 'gone', next];
    const inTrash = `${TRASH}/${thing.kind}/${thing.id}`;
    if (state === 'out') await this.#done('DELETE', `${thing.path}${isLast ? '?permanent=true' : ''}`);
    else if (isLast) await this.#done('DELETE', inTrash);
    else await this.#done('POST', `${inTrash}/restore`);
    thing.states = [next];
  }

  async #mergeTags(): Promise<void> {
    const [from, into] = [this.random.pick(TAGS), this.random.pick(TAGS)];
    const { status } = await this.request('PATCH', `/user/get/@me/tags/${from}`, { json: { tag: into } });
    assert.ok([200, 404].includes(status), `tags: ${status}`);
  }

  /** Finds out where things are, and that this is a place where they may be. */
  async check(things: readonly Thing[]): Promise<void> {
    const { content } = (await this.request('GET', `${TRASH}?size=100`)).body.message;
    const inTrash = new Set(
      content.map(({ kind, uniqueId }: { kind: string; uniqueId: string }) => `${kind} ${uniqueId}`),
    );
    for (const thing of things) {
      const isOut = (await this.request('GET', thing.path)).status === 200;
      const isIn = inTrash.delete(`${thing.kind} ${thing.id}`);
      assert.not.ok(isOut && isIn, `${thing.path} is in the trash and out of it`);
      const found = isOut ? 'out' : isIn ? 'in' : 'gone';
      assert.ok(thing.states.includes(found), `${thing.path} is ${found}, not ${thing.states.join(' or ')}`);
      thing.states = [found];
      for (const file of thing.files)
        assert.is((await this.request('GET', `//files/${file}`)).status, isOut ? 200 : 404, file);
    }
    assert.equal([...inTrash], [], 'nothing else is in the trash');
  }
}

import type { Content } from '../../../db/content/content.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { CountedIn } from '../../../db/statistics/visit-days.js';
import type { Context, Services } from '../context.js';

/** What an item holds, for its owner. */
export interface Contents {
  readonly files: { readonly name: string; readonly sha256: string }[];
  readonly text: string | null;
}

/** An item, whether it is over for visitors, and where it is counted how often it is opened. */
export interface Counted {
  readonly item: Content;
  readonly over: boolean;
  readonly in: CountedIn;
}

/** What can be done with an item of a kind. */
export interface ItemActions {
  /** Deletes an item and everything that belongs to it; 404 if it is already gone. */
  remove(app: Services, item: { readonly id: number }): Promise<void>;
  /** Tells the webhook of its owner that it went into the trash; true if there is something to deliver. */
  announceRemoval(app: Services, trx: Queryable, item: Pick<Content, 'id' | 'ownerId'>): Promise<boolean>;
  /** What is in it, for its owner: files by their hash, or a text. Nothing of a paste that can be read once. */
  contents(ctx: Context, id: number): Promise<Contents>;
  /** What people know it by; null if it has no such name, 404 if it is gone. */
  nameOf(app: Services, uniqueId: string): Promise<string | null>;
  /** Refuses an address that ends in an extension (`jpg`) unless it is that of the item. */
  checkExtension(app: Services, uniqueId: string, extension: string): Promise<void>;
  /** Bytes of its long text, all of whose words every change makes findable again; 404 if it is gone. */
  textBytes(app: Services, uniqueId: string): Promise<number>;
  /** The item with this id, even if it is over, and its counts; 404 if there is none. */
  counted(app: Services, uniqueId: string): Promise<Counted>;
}

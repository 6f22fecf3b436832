import type { SizedBlob } from '../../../db/content/file/blob.js';
import type { Image, NewImage } from '../../../db/content/file/image.js';
import type { Link, NewLink } from '../../../db/content/link/link.js';
import type { NewPaste, Paste } from '../../../db/content/paste.js';
import type { Db } from '../../../db/engine/connect.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { grouped, type Outcome } from '../../base/grouped.js';
import { outageOf } from '../outage.js';

/** Bytes that are in the store, and what was known of their removals before they were put there. */
export interface Committed {
  readonly blobs: readonly SizedBlob[];
  readonly removals: string;
}

/** A new item of an account. */
export interface Creation<New> {
  readonly item: New;
  readonly tags: readonly string[] | undefined;
  /** Whether a webhook receives the account's events. */
  readonly watched: boolean;
}

/** A new file of an account, whose bytes are in the store. */
export interface FileCreation extends Creation<NewImage> {
  readonly committed: Committed;
  /** The hashes of the bytes as they are stored and as they were sent. */
  readonly hashes: readonly string[];
  /** Whether a job has to make its poster. */
  readonly posterLate: boolean;
}

/** Stores items that somebody creates; each resolves once its item is durable, and violates a unique index if its id is taken. */
export interface Creations {
  file(creation: FileCreation): Promise<Image>;
  paste(creation: Creation<NewPaste>): Promise<Paste>;
  link(creation: Creation<NewLink>): Promise<Link>;
}

/** Maximum creations per commit. */
const MAX_GROUP = 256;
/** Maximum bytes of their texts. */
const MAX_BYTES = 1024 * 1024;

/**
 * Stores creations that arrive together by the same few statements. If one of them is refused, each is stored by itself, so
 * that the others are not affected.
 */
export function creationsOf<New, Made>(
  db: Db,
  bytesOf: (creation: New) => number,
  store: (trx: Queryable, group: readonly New[]) => Promise<readonly Made[]>,
): (creation: New) => Promise<Made> {
  const together = (group: readonly New[]) => db.write((trx) => store(trx, group));
  const bounds = {
    count: MAX_GROUP,
    weight: { max: MAX_BYTES, of: bytesOf },
  };
  return grouped<New, Made>(bounds, async (group) => {
    try {
      return (await together(group)).map((value): Outcome<Made> => ({ status: 'fulfilled', value }));
    } catch (error) {
      // What is away is so for each of them, and some have waited for it long enough.
      if (group.length === 1 || outageOf(error) !== null) throw error;
      const alone = await Promise.allSettled(group.map((creation) => together([creation])));
      return alone.map(
        (outcome): Outcome<Made> =>
          outcome.status === 'rejected' ? outcome : { status: 'fulfilled', value: outcome.value[0] as Made },
      );
    }
  });
}

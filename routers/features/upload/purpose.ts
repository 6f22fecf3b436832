import type { Image } from '../../../db/content/file/image.js';
import type { Upload } from '../../../db/content/upload/upload.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import type { DomainError } from '../../base/errors.js';
import type { Context, Services } from '../../core/context.js';
import type { UploadPurpose } from '../../core/items/upload-purposes.js';
import type { Wanted } from '../../core/quotas/rules.js';
import type { StagedUpload } from '../image/public.js';
import type { BeginInput } from './begin-input.js';

/** Who may begin an upload, and what happens with it when it is complete. */
export interface Purpose {
  /** Its name in the database, by which it counts against limits. */
  readonly name: UploadPurpose;
  /** Whether its sender is not its owner, and learns only what has arrived. */
  readonly isOfGuests: boolean;
  /** Refuses whoever may not begin one; says whose it is, and what `keep` has to know later, as JSON. */
  admit(ctx: Context, input: BeginInput): Promise<Admitted>;
  /** Refuses in a transaction to begin one more while too many are unfinished. The account of the owner is locked. */
  requirePlace(app: Services, trx: Queryable, admitted: Admitted, begun: Beginning): Promise<void>;
  /** Refuses bytes in the transaction that records them, if unfinished uploads may not keep so many. */
  requireSpace(app: Services, trx: Queryable, upload: Upload, more: number): Promise<void>;
  /**
   * Refuses in a transaction to begin an upload that its owner has no room for. Only a look ahead: storing the item
   * decides.
   */
  requireQuota(trx: Queryable, ownerId: number, wanted: Wanted): Promise<void>;
  /** Refuses bytes for which its owner has no room, with what its sender may know of this refusal. */
  refuseQuota(excess: DomainError | null): never;
  /** Refuses more bytes of one that may not go on; says how large it may become. */
  mayGoOn(app: Services, upload: Upload): Promise<Largest>;
  /**
   * Makes an item of the bytes. `settle` must be called in the transaction that stores the item: it throws if the upload
   * was settled before, so that there is exactly one item. A `DomainError` below 500 is the reason that the client sees.
   */
  keep(app: Services, upload: Upload, file: StagedUpload, settle: Settle): Promise<void>;
}

/** An upload that may begin. */
export interface Admitted {
  readonly ownerId: number;
  readonly fields: unknown;
  /** The network of a guest, as a keyed hash; absent for the owner. */
  readonly sentFrom?: string;
  /** Whether nothing is kept of what the client says of the file: it is sealed. */
  readonly isSealed?: boolean;
}

/** When an upload begins, and the bytes announced for it; null for an unknown number. */
interface Beginning {
  readonly at: number;
  readonly length: number | null;
}

/** How large an upload may become. */
export interface Largest {
  readonly bytes: number;
  /** Refuses a larger one. */
  readonly refuse: () => never;
}

/** Records what an upload has become. */
type Settle = (trx: Queryable, image: Image) => Promise<void>;

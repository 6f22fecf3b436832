import type { Failure } from '../failure.js';
import type { Fields } from '../fields.js';
import type { SimpleReply } from '../reply/write.js';
import type { Route } from '../route.js';

/**
 * The interface of another product, so that its clients work unchanged: its routes, at the root of the main host, which
 * call procedures as those of `/v1` do. A door has no rules of its own, and stands in no `openapi.json`.
 */
export interface Door {
  readonly routes: readonly Route[];
  /** A key in the query, which counts as the form field `key` does; undefined without one. */
  keyIn(query: Fields): string | undefined;
  /** A refusal in the form of the product. */
  refuse(failure: Failure): SimpleReply;
}

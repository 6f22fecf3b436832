import type { Collection, Face } from '../../../db/content/collection/collection.js';
import { fail } from '../../base/errors.js';
import { type Localizable, localizable } from '../../base/language/localizable.js';
import { MAX_FILES } from './fields.js';

/** The name under which a collection is asked for: what it may be there, and what refusals call it. */
export interface Form {
  /** As what it is made. */
  readonly face: Face;
  readonly maxFiles: number;
  readonly hasPacks: boolean;
  /** Why another list of files is refused where the list only orders; null where it may exchange them. */
  readonly exchange: Localizable | null;
  readonly cover: Localizable;
  missing(id: string): Localizable;
  twice(id: string): Localizable;
  full(max: number): Localizable;
}

/** Under `/collection` every collection is found. */
export const COLLECTION: Form = {
  ...{ face: 'collection', maxFiles: MAX_FILES, hasPacks: true, exchange: null },
  cover: localizable('The cover must be a file of the collection'),
  missing: (id) => localizable('You have no file {id}', { id }),
  twice: (id) => localizable('The file {id} is already in the collection', { id }),
  full: (max) => localizable('A collection can have at most {max} files', { max }),
};

/** A collection that is there in this form; 404 for others. */
export const inForm = ({ hasPacks }: Form, collection: Collection | null): Collection =>
  collection === null || (collection.face === 'pack' && !hasPacks) ? fail('NOT_FOUND') : collection;

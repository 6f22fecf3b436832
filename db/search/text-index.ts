import type { Queryable } from '../engine/queryable.js';
import type { TextIndex } from './entry.js';
import { postgresIndex } from './postgres-index.js';
import { sqliteIndex } from './sqlite-index.js';

/** The index in the database of this connection or transaction. */
export const textIndexOf = (db: Queryable): TextIndex =>
  db.client.dialect === 'postgresql' ? postgresIndex : sqliteIndex;

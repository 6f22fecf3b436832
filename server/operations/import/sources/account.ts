import type { SourceAccount } from '../port.js';
import type { Row } from '../tables/tables.js';
import { moment, text } from '../tables/values.js';
import { checkable } from './hashes.js';

/** The account of a row as most products name its columns; `differs` is what this one says otherwise. */
export const usualAccount = (row: Row, differs: Partial<SourceAccount> = {}): SourceAccount => ({
  key: text(row.id) ?? '',
  username: text(row.username) ?? '',
  email: text(row.email) || null,
  passwordHash: checkable(text(row.password)),
  createdAt: moment(row.createdAt ?? row.created_at) ?? Date.now(),
  isBanned: false,
  isConfirmed: true,
  rows: [row],
  ...differs,
});

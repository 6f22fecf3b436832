import { type User, userByEmail, userByUsername } from '../../../db/account/account.js';
import { found } from '../../base/errors.js';
import type { Services } from '../context.js';
import { isRowId } from '../items/ids.js';
import { asciiAddress } from './fields.js';

/** The account with this username, e-mail address or id, in this order; 404 for none and for deleted ones. */
export async function findUser(app: Services, name: string): Promise<User> {
  const user = (await byName(app, name)) ?? (await byNumber(app, name));
  return found(user?.role === 'DELETED' ? null : user);
}

/** The account with this username or e-mail address, or null. */
export const byName = ({ db }: Services, name: string): Promise<User | null> =>
  name.includes('@') ? userByEmail(db.read, asciiAddress(name)) : userByUsername(db.read, name);

async function byNumber(app: Services, name: string): Promise<User | null> {
  return /^\d+$/.test(name) && isRowId(Number(name)) ? app.load.user(Number(name)) : null;
}

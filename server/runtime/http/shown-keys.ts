/** A key in base64 with the longest user name that a client sends. */
const MAX_LENGTH = 4_096;

/**
 * The keys that an `Authorization` header may hold: the token of `Bearer`; of `Basic` the password, whatever the user name
 * is, or the user name if the password is empty. Whether it is a key of ours is not known here: proxies in front
 * send credentials of their own. Empty for other schemes.
 */
export function keysIn(authorization: string | undefined): readonly string[] {
  if (authorization === undefined || authorization.length > MAX_LENGTH) return [];
  const [, scheme = '', shown = ''] = /^\s*(bearer|basic)\s+(\S+)\s*$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return [shown];
  if (scheme === '') return [];
  const pair = Buffer.from(shown, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const [user, password] = colon < 0 ? [pair, ''] : [pair.slice(0, colon), pair.slice(colon + 1)];
  return [password || user].filter((key) => key !== '');
}

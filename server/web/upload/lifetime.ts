import type { Fields } from '../../../rest-adapter/fields.js';

/** When an item expires (epoch milliseconds), from the hours selected in the form; undefined if never. */
export function expiryOf(body: Fields): number | undefined {
  const hours = body.number('expiresIn');
  return hours === undefined || !(hours > 0) ? undefined : Date.now() + hours * 3_600_000;
}

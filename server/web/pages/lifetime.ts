import type { Fields } from '../../../rest-adapter/fields.js';

/** When an item ends (epoch milliseconds), from the form's choice of hours; undefined for one that is kept. */
export function expiryOf(body: Fields): number | undefined {
  const hours = body.number('expiresIn');
  return hours === undefined || !(hours > 0) ? undefined : Date.now() + hours * 3_600_000;
}

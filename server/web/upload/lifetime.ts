import type { Fields } from '../../../rest-adapter/fields.js';

/** When an item expires (epoch milliseconds), from the hours selected in the form; undefined if nothing was said. */
export function expiryOf(body: Fields): number | 'never' | undefined {
  if (body.text('expiresIn') === 'never') return 'never';
  const hours = body.number('expiresIn');
  return hours === undefined || !(hours > 0) ? undefined : Date.now() + hours * 3_600_000;
}

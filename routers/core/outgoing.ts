import { fail } from '../base/errors.js';
import type { Services } from './context.js';

/** Refuses with 409, before anything is changed, what would send something or ask another server, in a demo. */
export function requireOutgoing({ settings }: Pick<Services, 'settings'>): void {
  if (settings.demo) fail('DEMO');
}

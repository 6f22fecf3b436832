import type { Services } from '../context.js';

/** How long what was opened stays open to the same browser, in seconds. */
export const TICKET_SECONDS = 12 * 60 * 60;

/** What a ticket is for: something with a row id, whose password the holder knew. */
export interface Ticketed {
  readonly of: 'collection' | 'share' | 'request';
  readonly id: number;
  readonly passwordHash: string | null;
  readonly isPublic?: boolean;
}

/** Another password makes every ticket invalid, and so does making it private. */
const subjectOf = ({ of, id, passwordHash, isPublic = true }: Ticketed, until: number): string =>
  `opened:${of}:${id}:${until}:${passwordHash ?? ''}${isPublic ? '' : ':private'}`;

/** A text that proves for twelve hours that its holder was let in; letters, digits and a dot. */
export function ticketFor(app: Services, opened: Ticketed): string {
  const until = Math.floor(Date.now() / 1000) + TICKET_SECONDS;
  return `${until}.${app.secrets.sign(subjectOf(opened, until))}`;
}

/** Whether this is a ticket for it that is still valid. */
export function isTicket(app: Services, opened: Ticketed, ticket: string | null | undefined): boolean {
  const [, until = '', signature = ''] = /^(\d{1,12})\.([0-9a-f]{1,200})$/.exec(ticket ?? '') ?? [];
  if (Number(until) * 1000 <= Date.now()) return false;
  return app.secrets.verifySignature(subjectOf(opened, Number(until)), signature);
}

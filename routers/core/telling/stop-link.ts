import { TOLD_KINDS, type ToldOf } from '../../../db/content/told/told.js';
import type { Services } from '../context.js';

type Signs = Pick<Services, 'secrets' | 'settings'>;

/** What ends with a link in a mail: what an account is told about this, or (`of` null) all that it is told. */
export interface Stopping {
  readonly userId: number;
  readonly of: ToldOf | null;
}

const subjectOf = (named: string): string => `stop telling:${named}`;
const nameOf = ({ userId, of }: Stopping): string =>
  of === null ? `${userId}.all` : `${userId}.${of.kind}.${of.id}`;

/** The page that ends mails, with whose address anybody can do so. */
export function stopLink({ secrets, settings }: Signs, stopping: Stopping): string {
  const named = nameOf(stopping);
  return `${settings.origin}/web/told/${named}.${secrets.sign(subjectOf(named))}`;
}

/** The headers by which mail programs end these mails with one click (RFC 8058). */
export const stopHeaders = (link: string) => ({
  'List-Unsubscribe': `<${link}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** What the last part of such an address ends; null if it was not made here. */
export function readStop({ secrets }: Pick<Services, 'secrets'>, token: string): Stopping | null {
  const [, named = '', user = '', kind, id = '', signature = ''] =
    /^((\d{1,15})\.(?:all|([a-z]{1,20})\.(\d{1,15})))\.([0-9a-f]{1,200})$/.exec(token) ?? [];
  if (named === '' || !secrets.verifySignature(subjectOf(named), signature)) return null;
  const known = TOLD_KINDS.find((one) => one === kind);
  if (kind !== undefined && known === undefined) return null;
  return { userId: Number(user), of: known === undefined ? null : { kind: known, id: Number(id) } };
}

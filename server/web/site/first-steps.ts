import { msg } from '../../../routers/base/language/i18n.js';
import type { FullUser } from '../records.js';
import type { PageRequest } from '../request.js';
import { administers, mayMake } from '../site.js';
import type { Step } from './checklist.js';

/** Set once somebody has dismissed the first steps in this browser. */
export const STEPS_COOKIE = 'first_steps';
/** An account is new for a week. */
const NEW_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The first steps for a person: to upload something and to connect a tool, for administrators also to invite others
 * and to make mail work. None once they are dismissed, and none for an older account that has done what can be seen.
 */
export async function stepsFor({ site, call, ctx }: PageRequest, user: FullUser): Promise<readonly Step[]> {
  if (ctx.cookie(STEPS_COOKIE) !== null || !mayMake(site.viewer)) return [];
  const steps: readonly Step[] = [
    { text: msg('Upload something'), href: '/web/image-upload', done: user.stats.totalUploads > 0 },
    { text: msg('Connect ShareX, your phone or the terminal'), href: '/web/settings/tools', done: null },
    ...(administers(site.viewer) ? await stepsOfOperator({ site, call }) : []),
  ];
  const isNew = Date.now() - Date.parse(user.createdAt) < NEW_MS;
  return isNew || steps.some(({ done }) => done === false) ? steps : [];
}

async function stepsOfOperator({ site, call }: Pick<PageRequest, 'site' | 'call'>): Promise<readonly Step[]> {
  const { totalElements } = await call.admin.users({ page: 0, size: 1 });
  return [
    { text: msg('Invite a friend'), href: '/web/admin/invites', done: totalElements > 1 },
    {
      text: msg('Set up e-mail (for password resets and sign-ups)'),
      href: '/web/admin/system',
      done: site.mailThrough !== null,
    },
  ];
}

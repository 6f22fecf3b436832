import type { User } from '../../../db/account/account.js';
import { isUnavailable } from '../../../db/content/life.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { type Banner, type FooterLink, readLook } from '../../../db/system/branding.js';
import { i18nOf } from '../../base/language/i18n.js';
import { type Language, languageNamed } from '../../base/language/languages.js';
import type { Mails } from '../../base/ports/mail/mail-templates.js';
import { isOpen } from '../access.js';
import type { Services } from '../context.js';
import type { Policy } from './fields.js';

/** The name of the software, where its operator has set no other. */
export const SOFTWARE = 'Holdall';

/** What pages show of the operator now. */
export interface Branding {
  readonly name: string;
  readonly tagline: string | null;
  /** The id of a picture that everybody may see; null if there is none, or no longer. */
  readonly logo: string | null;
  readonly accent: string | null;
  readonly footerLinks: readonly FooterLink[];
  readonly banner: Banner | null;
  readonly policies: readonly Policy[];
}

/** An installation that nobody has given a look. */
export const DEFAULT_BRANDING: Branding = {
  name: SOFTWARE,
  tagline: null,
  logo: null,
  accent: null,
  footerLinks: [],
  banner: null,
  policies: [],
};

/** What pages show of the operator now: a change is in effect with the next request, in every process. */
export async function brandingOf(app: Services): Promise<Branding> {
  const look = await app.load.look('look');
  if (look === null) return DEFAULT_BRANDING;
  const { name, tagline, accent, footerLinks, banner } = look;
  return {
    name: name ?? SOFTWARE,
    tagline,
    logo: look.logo === null ? null : await openPicture(app, look.logo),
    accent,
    footerLinks,
    banner: banner === null || (banner.until !== null && banner.until <= Date.now()) ? null : banner,
    policies: [
      ...(look.hasPrivacy ? (['privacy'] as const) : []),
      ...(look.hasImprint ? (['imprint'] as const) : []),
    ],
  };
}

/** The present id of a picture that everybody may see as often as they like; null if it is none. */
export async function openPicture(app: Services, uniqueId: string): Promise<string | null> {
  const image = await app.load.image(uniqueId);
  if (image === null || image.mediaKind !== 'image' || image.maxViews !== null) return null;
  return isOpen(image) && !isUnavailable(image) ? image.uniqueId : null;
}

/**
 * The mails of this server, in the name of its operator and the language of who receives them: the one that the account
 * has chosen, else the one `asked` for with the request that the mail answers, else that of the installation.
 */
export async function mailsOf(
  app: Services,
  db: Queryable,
  receiver: Pick<User, 'language'> | null,
  asked: Language | null = null,
): Promise<Mails> {
  const language = languageNamed(receiver?.language ?? null) ?? asked ?? app.settings.language;
  return app.mail.templates((await readLook(db)).name ?? SOFTWARE, await i18nOf(language));
}

import { json } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** A link in the footer of every page. */
export interface FooterLink {
  readonly label: string;
  readonly url: string;
}

/** A notice on every page; `until` in epoch milliseconds, null for without end. */
export interface Banner {
  readonly text: string;
  readonly kind: 'info' | 'warning';
  readonly until: number | null;
}

/** What every page shows of its operator. */
export interface Look {
  /** Null for the name of the software. */
  readonly name: string | null;
  readonly tagline: string | null;
  /** The id of an image, as it was given. */
  readonly logo: string | null;
  /** `#rrggbb`. */
  readonly accent: string | null;
  /** Where short links lead that nobody has; null for nowhere. */
  readonly unknownUrl: string | null;
  readonly footerLinks: readonly FooterLink[];
  readonly banner: Banner | null;
  readonly hasPrivacy: boolean;
  readonly hasImprint: boolean;
}

interface Policies {
  readonly privacy: string | null;
  readonly imprint: string | null;
}

/** A change; absent fields keep, null clears. */
export type BrandingChange = Partial<Omit<Look, 'hasPrivacy' | 'hasImprint'> & Policies>;

interface Row extends Omit<Look, 'footerLinks' | 'banner' | 'unknownUrl' | 'hasPrivacy' | 'hasImprint'> {
  footer_links: string | null;
  banner: string | null;
  unknown_url: string | null;
  has_privacy: boolean | number;
  has_imprint: boolean | number;
}

/** The only row. */
const HERE = { id: 1 };

/** What every page shows of its operator, without the policies, which may be long. */
export async function readLook(db: Queryable): Promise<Look> {
  const row: Row = await db('branding')
    .where(HERE)
    .first(
      'name',
      'tagline',
      'logo',
      'accent',
      'footer_links',
      'banner',
      'unknown_url',
      db.raw('privacy IS NOT NULL AS has_privacy'),
      db.raw('imprint IS NOT NULL AS has_imprint'),
    );
  const { footer_links, banner, unknown_url, has_privacy, has_imprint, ...look } = row;
  return {
    ...look,
    unknownUrl: unknown_url,
    footerLinks: footer_links === null ? [] : json(footer_links),
    banner: banner === null ? null : json(banner),
    hasPrivacy: Boolean(has_privacy),
    hasImprint: Boolean(has_imprint),
  };
}

/** The policies. */
export function readPolicies(db: Queryable): Promise<Policies> {
  return db('branding').where(HERE).first('privacy', 'imprint');
}

/** Stores a change. */
export async function changeBranding(trx: Queryable, change: BrandingChange): Promise<void> {
  const { footerLinks, banner, unknownUrl, ...texts } = change;
  const columns = {
    ...texts,
    ...(unknownUrl === undefined ? {} : { unknown_url: unknownUrl }),
    ...(footerLinks === undefined ? {} : { footer_links: JSON.stringify(footerLinks) }),
    ...(banner === undefined ? {} : { banner: banner === null ? null : JSON.stringify(banner) }),
  };
  if (Object.keys(columns).length > 0) await trx('branding').where(HERE).update(columns);
}

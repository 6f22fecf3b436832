/**
 * The ids of links on the hosts of accounts: the number of the domain, a colon and the slug, so that the same slug can be
 * on several hosts, and a host that comes to another account leads to none of the links of the one before. No slug has a
 * colon.
 */

const ON_DOMAIN = /^(\d{1,10}):/;

/** The number of the domain that a link is on; null for a link of the installation. */
export function domainIdOf(uniqueId: string): number | null {
  const number = ON_DOMAIN.exec(uniqueId)?.[1];
  return number === undefined ? null : Number(number);
}

/** The id of a link on its host. */
export const slugOf = (uniqueId: string): string => uniqueId.replace(ON_DOMAIN, '');

/** The id of a link on a domain; `null` stands for the installation. */
export const idOnDomain = (domain: { readonly id: number } | null, slug: string): string =>
  domain === null ? slug : `${domain.id}:${slug}`;

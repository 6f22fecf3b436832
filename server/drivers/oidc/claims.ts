import type { OidcPerson } from '../../../routers/base/ports/oidc.js';
import { hasRank, type Role } from '../../../routers/base/roles.js';
import type { OidcOptions } from './options.js';

type Claims = Readonly<Record<string, unknown>>;

/** The person whom these claims describe. */
export function personOf(
  claims: Claims & { readonly iss: string; readonly sub: string },
  options: Pick<OidcOptions, 'roleClaim' | 'roleMap'>,
  idToken: string | null,
): OidcPerson {
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: textOf(claims.email),
    emailVerified: claims.email_verified === true || claims.email_verified === 'true',
    names: [claims.preferred_username, claims.nickname, claims.name].flatMap((name) => textOf(name) ?? []),
    role: roleOf(claims, options),
    idToken,
  };
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 254) : null;

/** The highest role that the values of the claim give. */
function roleOf(
  claims: Claims,
  { roleClaim, roleMap }: Pick<OidcOptions, 'roleClaim' | 'roleMap'>,
): Role | null {
  if (roleClaim === null) return null;
  const value = claims[roleClaim] ?? at(claims, roleClaim.split('.'));
  const given = valuesOf(value).flatMap((each) => roleMap.get(String(each)) ?? []);
  return given.reduce<Role | null>(
    (highest, role) => (highest === null || hasRank(role, highest) ? role : highest),
    null,
  );
}

/** The values of a claim: of a list, of one text, or the keys of an object, which is how Zitadel names roles. */
function valuesOf(claim: unknown): readonly unknown[] {
  if (Array.isArray(claim)) return claim;
  return typeof claim === 'object' && claim !== null ? Object.keys(claim) : [claim];
}

/** The value at a path of objects; undefined if there is none. */
function at(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return at((value as Claims)[name], rest);
}

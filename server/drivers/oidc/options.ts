import { ROLES, type Role } from '../../../routers/base/roles.js';

/** One provider of sign-ins. */
export interface OidcOptions {
  /** Its name in addresses. */
  readonly name: string;
  /** What its button says. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  readonly scopes: string;
  /** The claim with the roles, perhaps a path such as `realm_access.roles`; null if roles are given here. */
  readonly roleClaim: string | null;
  /** The role that a value of the claim gives. */
  readonly roleMap: ReadonlyMap<string, Role>;
  readonly autoRegister: 'always' | 'invite' | 'never';
}

/** The variables of each provider, after `OIDC_<NAME>_`. */
const FIELDS = [
  'ISSUER',
  'CLIENT_ID',
  'CLIENT_SECRET',
  'LABEL',
  'SCOPES',
  'ROLE_CLAIM',
  'ROLE_MAP',
  'AUTO_REGISTER',
] as const;
type Given = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

/** Roles that no provider gives: one is for good, the others are not roles to have. */
const NEVER: ReadonlySet<Role> = new Set(['OWNER', 'BANNED', 'DELETED']);

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
const REGISTERS: Readonly<Record<string, OidcOptions['autoRegister']>> = {
  true: 'always',
  invite: 'invite',
  false: 'never',
};

/**
 * Reads the providers from `OIDC_PROVIDERS` and the variables of each. `problems` names every wrong variable, as
 * `NAME: what is wrong`.
 */
export function readOidc(env: Readonly<Record<string, string | undefined>>): {
  readonly providers: readonly OidcOptions[];
  readonly problems: readonly string[];
} {
  const names = namesIn(env.OIDC_PROVIDERS ?? '');
  const problems: string[] = [];
  const wrong = (variable: string, text: string) => problems.push(`${variable}: ${text}`);
  const prefixes = new Map(names.map((name) => [prefixOf(name), name]));
  if (prefixes.size < names.length) wrong('OIDC_PROVIDERS', 'names a provider twice');
  for (const name of names)
    if (!NAME.test(name))
      wrong('OIDC_PROVIDERS', `${name} must be a word of a-z, 0-9 and -, at most 32 characters`);
  for (const variable of Object.keys(env))
    if (
      /^OIDC_.+_(?:ISSUER|CLIENT_ID)$/.test(variable) &&
      ![...prefixes.keys()].some((p) => variable.startsWith(p))
    )
      wrong(variable, 'belongs to no provider of OIDC_PROVIDERS');
  const providers = [...prefixes].map(([prefix, name]) => {
    const given = Object.fromEntries(
      FIELDS.map((field) => [field, env[prefix + field] || undefined]),
    ) as Given;
    return readProvider(name, given, (field, text) => wrong(prefix + field, text));
  });
  return { providers, problems };
}

/** The providers that `OIDC_PROVIDERS` names, in lower case. */
const namesIn = (providers: string): readonly string[] =>
  providers
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);

/** The names of the variables of the providers that `OIDC_PROVIDERS` names. */
export const oidcNames = (providers: string): readonly string[] =>
  [...new Set(namesIn(providers).map(prefixOf))].flatMap((prefix) => FIELDS.map((field) => prefix + field));

/** Whether a name is that of a variable of some provider. */
export const isOidcName = (name: string): boolean =>
  /^OIDC_[A-Z][A-Z0-9_]{0,31}$/.test(name.replace(new RegExp(`_(?:${FIELDS.join('|')})$`), '')) &&
  FIELDS.some((field) => name.endsWith(`_${field}`));

/** Whether it is a secret. */
export const isOidcSecret = (name: string): boolean => name.endsWith('_CLIENT_SECRET');

const prefixOf = (name: string): string => `OIDC_${name.toUpperCase().replaceAll('-', '_')}_`;

function readProvider(
  name: string,
  given: Given,
  wrong: (field: keyof Given, text: string) => void,
): OidcOptions {
  const issuer = given.ISSUER ?? '';
  if (issuer === '') wrong('ISSUER', 'is required');
  else if (!isIssuer(issuer)) wrong('ISSUER', 'must be an http or https URL without a query');
  if (given.CLIENT_ID === undefined) wrong('CLIENT_ID', 'is required');
  const scopes = (given.SCOPES ?? 'openid profile email').split(/[\s,]+/).filter(Boolean);
  if (!scopes.includes('openid')) wrong('SCOPES', 'must contain openid');
  if (given.ROLE_MAP !== undefined && given.ROLE_CLAIM === undefined)
    wrong('ROLE_CLAIM', 'is required with ROLE_MAP');
  if (given.ROLE_CLAIM !== undefined && given.ROLE_MAP === undefined)
    wrong('ROLE_MAP', 'is required with ROLE_CLAIM');
  const autoRegister = REGISTERS[(given.AUTO_REGISTER ?? 'false').toLowerCase()];
  if (autoRegister === undefined) wrong('AUTO_REGISTER', 'must be one of true, false, invite');
  return {
    name,
    label: given.LABEL ?? name.charAt(0).toUpperCase() + name.slice(1),
    issuer,
    clientId: given.CLIENT_ID ?? '',
    clientSecret: given.CLIENT_SECRET ?? null,
    scopes: scopes.join(' '),
    roleClaim: given.ROLE_CLAIM ?? null,
    roleMap: readRoleMap(given.ROLE_MAP ?? '', (text) => wrong('ROLE_MAP', text)),
    autoRegister: autoRegister ?? 'never',
  };
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, search, hash, username } = new URL(text);
  return /^https?:$/.test(protocol) && search === '' && hash === '' && username === '';
}

function readRoleMap(text: string, wrong: (text: string) => void): ReadonlyMap<string, Role> {
  const map = new Map<string, Role>();
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const at = entry.lastIndexOf('=');
    const value = entry.slice(0, at).trim();
    const role = entry
      .slice(at + 1)
      .trim()
      .toUpperCase();
    const known = ROLES.find((each) => each === role);
    if (at < 1 || value === '') wrong(`${entry.trim()} must be like value=ROLE`);
    else if (known === undefined) wrong(`${role} is not a role`);
    else if (NEVER.has(known)) wrong(`${role} cannot be given by a provider`);
    else map.set(value, known);
  }
  return map;
}

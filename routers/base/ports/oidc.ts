import type { Role } from '../roles.js';

/** Somebody who signed in at a provider. Everything was checked: signature, issuer, audience, nonce and time. */
export interface OidcPerson {
  readonly issuer: string;
  /** Never changes and is never given to anybody else; an address may be both. */
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
  /** What the provider calls the person, best first. */
  readonly names: readonly string[];
  /** The highest role that the provider's claim gives; null if it gives none. */
  readonly role: Role | null;
  /** For signing out at the provider. */
  readonly idToken: string | null;
}

/** A provider of sign-ins (OpenID Connect). Calls throw only `ProviderRefused` or `ProviderDown`. */
export interface OidcProvider {
  /** Its name in addresses. */
  readonly name: string;
  /** What its button says. */
  readonly label: string;
  readonly autoRegister: 'always' | 'invite' | 'never';
  /** The roles that its claim can give; empty if roles are given here. */
  readonly givesRoles: ReadonlySet<Role>;
  /** The provider's page to send a browser to; `codeChallenge` is the S256 challenge of the later verifier. */
  authorizeUrl(request: {
    readonly state: string;
    readonly nonce: string;
    readonly codeChallenge: string;
    readonly redirectUri: string;
  }): Promise<string>;
  /** Who came back with this query from the provider's page. */
  exchange(answer: {
    readonly query: string;
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string;
    readonly redirectUri: string;
  }): Promise<OidcPerson>;
  /** Where to sign out at the provider, too; null if it offers none. */
  logoutUrl(request: { readonly idToken: string | null; readonly returnTo: string }): Promise<string | null>;
}

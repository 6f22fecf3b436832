import type { Role } from '../../../routers/base/roles.js';
import type { TestAccount, TestServer } from '../../harness.js';
import { cookieOf, sessionOf, signIn } from '../../support/accounts/accounts.js';
import type { Persona } from '../inputs/draft.js';
import { Thing } from './thing.js';

/** Headers that authenticate the caller. */
export type Credentials = Readonly<Record<string, string>>;

/** An account with its initial role, which may have changed meanwhile. */
export interface Person extends TestAccount {
  readonly role: Role;
}

const ROLES = {
  holder: 'USER',
  stranger: 'USER',
  /** Owns what nobody else may see; never calls. */
  keeper: 'USER',
  guest: 'GUEST',
  banned: 'BANNED',
  moderator: 'MODERATOR',
  admin: 'ADMIN',
  owner: 'OWNER',
} as const satisfies Record<string, Role>;
export type PersonName = keyof typeof ROLES;

const isPersonName = (name: string): name is PersonName => Object.hasOwn(ROLES, name);

/** All callers and targets. Accounts that are deleted, demoted or locked out are replaced by new ones. */
export class People {
  readonly #accounts = new Map<PersonName, Thing<Person>>();
  readonly #cookies = new Map<Persona, Thing<string>>();

  constructor(private readonly server: TestServer) {
    for (const name of Object.keys(ROLES) as PersonName[])
      this.#accounts.set(
        name,
        new Thing(
          () => this.#make(ROLES[name]),
          (person) => this.isHimself(person),
        ),
      );
    this.#cookies.set(
      'session',
      new Thing(
        () => this.#session(),
        (cookie) => this.#works(cookie),
      ),
    );
    this.#cookies.set(
      'waiting',
      new Thing(
        () => this.#waiting(),
        (cookie) => this.#waits(cookie),
      ),
    );
  }

  get(name: PersonName): Promise<Person> {
    return this.#thing(name).get();
  }

  /** The account of the caller; null for callers without one of their own. */
  async of(persona: Persona): Promise<Person | null> {
    if (persona === 'session') return this.get('holder');
    return isPersonName(persona) ? this.get(persona) : null;
  }

  async credentialsOf(persona: Persona): Promise<Credentials> {
    const cookie = this.#cookies.get(persona);
    if (cookie !== undefined) return { cookie: await cookie.get() };
    if (persona === 'badKey') return { 'x-api-key': 'k'.repeat(48) };
    if (persona === 'badSession') return { cookie: 'session_token=made-up' };
    const person = await this.of(persona);
    return person === null ? {} : { 'x-api-key': person.key };
  }

  /** After a change of accounts or sessions: checks that all accounts still work as before. */
  doubt(): void {
    for (const account of this.#accounts.values()) account.doubt();
    for (const cookie of this.#cookies.values()) cookie.doubt();
  }

  /** A new account is used for this role the next time it is needed. */
  replace(name: PersonName): void {
    this.#thing(name).giveUp();
  }

  /** Whether this account still has its initial state. */
  async isHimself({ key, role }: Person): Promise<boolean> {
    const { status, body } = await this.server.request('GET', '/auth/validate', { key });
    return role === 'BANNED' ? status === 403 : status === 200 && body.message.role === role;
  }

  #thing(name: PersonName): Thing<Person> {
    const thing = this.#accounts.get(name);
    if (thing === undefined) throw new Error(`nobody is called ${name}`);
    return thing;
  }

  async #make(role: Role): Promise<Person> {
    return { ...(await this.server.account(role)), role };
  }

  async #session(): Promise<string> {
    try {
      return `session_token=${await sessionOf(this.server, await this.get('holder'))}`;
    } catch (error) {
      // The holder may have got another password or address, which the key does not show.
      this.replace('holder');
      throw error;
    }
  }

  async #works(cookie: string): Promise<boolean> {
    const { status, body } = await this.server.request('GET', '/auth/me', { headers: { cookie } });
    return status === 200 && body.message.uid === (await this.get('holder')).id;
  }

  async #waiting(): Promise<string> {
    const account = await this.server.account('USER', { status: 'PENDING' });
    return `verify_token=${cookieOf(await signIn(this.server, account), 'verify_token')}`;
  }

  async #waits(cookie: string): Promise<boolean> {
    return (
      (await this.server.request('POST', '/auth/verify/validate', { headers: { cookie } })).status === 200
    );
  }
}

/** Whether this caller's role gives access to everything, so that nothing is hidden. */
export const seesAll = (persona: Persona): boolean => ['moderator', 'admin', 'owner'].includes(persona);

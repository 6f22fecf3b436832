import type { Db } from '../../../db/engine/connect.js';
import type { DatabaseState } from '../../../db/engine/state.js';
import { type StoredSetting, storedSettings } from '../../../db/system/setting.js';
import { fail } from '../../../routers/base/errors.js';
import type {
  Installation,
  SettingChange,
  SettingDeclaration,
  SettingFact,
} from '../../../routers/base/ports/installation.js';
import type { Secrets } from '../../../routers/base/ports/secrets.js';
import { isOidcName, isOidcSecret, oidcNames } from '../../drivers/oidc/options.js';
import { settingOf } from '../../drivers/setting.js';
import { ConfigError } from '../../shared/config-error.js';
import type { Logger } from '../logger.js';
import { type Config, checked, readConfig } from './config.js';
import { environment } from './variables.js';

/** What of the configuration settings change while the process runs. */
const LIVE = [
  'corsOrigins',
  'shortUrls',
  'domains',
  'registration',
  'signIn',
  'oidc',
  'speaks',
  'mail',
  'ocr',
] as const;

/** How often a process looks whether another has changed a setting. */
const LOOK_MS = 1_000;
const MAX_CHARS = 8_192;

/** The variables that are settings, but for those of the providers of sign-ins. */
const DECLARED: ReadonlyMap<string, SettingDeclaration> = new Map(
  Object.entries(environment.shape).flatMap(([name, variable]) => {
    const declaration = settingOf(variable);
    return declaration === null ? [] : [[name, declaration] as const];
  }),
);

const declarationOf = (name: string): SettingDeclaration | null =>
  isOidcName(name)
    ? { group: 'oidc', secret: isOidcSecret(name), choices: null, many: false }
    : (DECLARED.get(name) ?? null);

/** What a setting is while nobody sets it, as text. */
function usualOf(name: string): string | null {
  const usual = environment.shape[name as keyof typeof environment.shape]?.safeParse(undefined).data;
  if (Array.isArray(usual)) return usual.join(',');
  return typeof usual === 'string' || typeof usual === 'number' ? String(usual) : null;
}

/** The name and the reason, as for variables, which are in English. */
const refuse = (text: string): never => fail('INVALID', text);

type Texts = Readonly<Record<string, string>>;

/** What the server reads: what is stored, under what the environment says. A provider that is gone leaves nothing. */
function merged(stored: Texts, given: Texts): Texts {
  const providers = given.OIDC_PROVIDERS ?? stored.OIDC_PROVIDERS ?? '';
  const known = new Set(oidcNames(providers));
  const kept = Object.entries(stored).filter(([name]) => !isOidcName(name) || known.has(name));
  return { ...Object.fromEntries(kept), ...given };
}

/** The settings of the installation, and what only start and shutdown need. */
export interface OpenInstallation extends Installation {
  /** Calls back after a setting has changed and `config` with it. */
  onChange(listener: () => void): void;
  /** Looks for changes by other processes from now on; returns what ends that. */
  watch(): () => void;
}

/**
 * Opens the settings that the database keeps and takes them over into the configuration, now and whenever they change.
 * Throws a `ConfigError` if what is stored does not fit what the environment says; with `leniently`, what is stored is
 * left aside then.
 */
export async function openInstallation(
  config: Config,
  { db, secrets, state, log }: { db: Db; secrets: Secrets; state: DatabaseState; log: Logger },
  leniently = false,
): Promise<OpenInstallation> {
  const { given } = config;
  const listeners: (() => void)[] = [];
  let texts: Texts = {};
  let rows = '[]';
  let seen: number | null = null;

  const textsOf = (stored: readonly StoredSetting[]): Record<string, string> =>
    Object.fromEntries(
      stored.map(({ name, value, secret }) => [name, secret ? secrets.decrypt(value) : value] as const),
    );

  const take = async (): Promise<void> => {
    const now = state.current();
    if (now !== null && now === seen) return;
    const stored = await storedSettings(db.read);
    seen = now;
    const all = JSON.stringify(stored);
    if (all === rows) return;
    const next = textsOf(stored);
    const read = readConfig(merged(next, given));
    for (const key of LIVE) Object.assign(config, { [key]: read[key] });
    [texts, rows] = [next, all];
    for (const listener of listeners) listener();
  };

  let taking: Promise<void> = Promise.resolve();
  /** One at a time, each beginning after it was asked for. */
  const refresh = (): Promise<void> => {
    taking = taking.catch(() => undefined).then(take);
    return taking;
  };

  await refresh().catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    if (leniently) return;
    throw new ConfigError(
      `${error.message}\nWhat administrators set is among them: \`holdall settings list\` shows it, \`holdall settings unset NAME\` removes it.`,
      { cause: error },
    );
  });

  const factOf = (name: string, declaration: SettingDeclaration, effective: Texts): SettingFact => {
    const value = effective[name];
    return {
      ...declaration,
      name,
      value: declaration.secret ? null : (value ?? null),
      fixed: given[name] !== undefined,
      set: value !== undefined,
      usual: usualOf(name),
    };
  };

  const check = (name: string, value: string | null): void => {
    if (declarationOf(name) === null) refuse(`${name}: is not among the settings`);
    if (given[name] !== undefined) fail('SETTING_FIXED');
    if (value !== null && value.length > MAX_CHARS) refuse(`${name}: use at most ${MAX_CHARS} characters`);
  };

  return {
    declarationOf,
    facts: () => {
      const effective = merged(texts, given);
      return [...DECLARED].flatMap(([name, declaration]) =>
        [name, ...(name === 'OIDC_PROVIDERS' ? oidcNames(effective.OIDC_PROVIDERS ?? '') : [])].map((each) =>
          factOf(each, declarationOf(each) ?? declaration, effective),
        ),
      );
    },
    plan: (stored, change: SettingChange) => {
      const before = textsOf(stored);
      const asked = Object.entries(change).map(([name, value]) => [name, value?.trim() || null] as const);
      for (const [name, value] of asked) check(name, value);
      const set = asked.filter((entry): entry is readonly [string, string] => entry[1] !== null);
      const kept = Object.entries(before).filter(([name]) => !(name in change));
      const next = merged(Object.fromEntries([...kept, ...set]), given);
      const [problem] = checked(next).problems;
      if (problem !== undefined) fail('INVALID', problem);
      for (const [name] of set)
        if (next[name] === undefined) refuse(`${name}: belongs to no provider of OIDC_PROVIDERS`);
      return {
        put: set.map(([name, value]) => {
          const secret = declarationOf(name)?.secret === true;
          return { name, value: secret ? secrets.encrypt(value) : value, secret };
        }),
        remove: Object.keys({ ...before, ...change }).filter(
          (name) => next[name] === undefined || change[name] === null,
        ),
      };
    },
    refresh,
    onChange: (listener) => listeners.push(listener),
    watch: () => {
      let failing = false;
      const look = () =>
        refresh().then(
          () => {
            failing = false;
          },
          (error: unknown) => {
            if (!failing) log.warn({ err: error }, 'settings that were changed are not taken over');
            failing = true;
          },
        );
      const timer = setInterval(look, LOOK_MS).unref();
      return () => clearInterval(timer);
    },
  };
}

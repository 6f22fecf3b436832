import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import type { SettingRecord } from '../../../routers/features/settings/public.js';
import { Check, Select } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, type FormState } from '../components/form/form.js';
import { Badge, Facts } from '../components/parts.js';
import { languageName } from '../format.js';

/** What a setting is called, and what it is for; of one without, its name says it. */
const LABELS: Readonly<Record<string, readonly [label: Message, hint?: Message]>> = {
  REGISTRATION: [msg('Who can register')],
  SIGN_IN: [msg('Ways to sign in'), msg('None checked: all that are possible.')],
  OIDC_PROVIDERS: [msg('Names of the services'), msg('Short words, separated by commas, such as company.')],
  MAIL_TRANSPORT: [
    msg('Mail is sent through'),
    msg('With outbox, mails are only written to files on the server.'),
  ],
  MAIL_FROM: [msg('Sender'), msg('For example: no-reply@example.org')],
  SMTP_URL: [msg('SMTP server'), msg('For example: smtps://user:password@mail.example.org')],
  MAILGUN_API_KEY: [msg('API key of Mailgun')],
  MAILGUN_DOMAIN: [msg('Domain at Mailgun')],
  MAILGUN_URL: [msg('Address of Mailgun')],
  CORS_ORIGINS: [
    msg('Origins that may call with credentials'),
    msg(
      'Separated by commas, such as https://portal.example.org. Scripts there can do whatever their visitors can.',
    ),
  ],
  SHORT_IMAGE_URL: [
    msg('Address of short links to files'),
    msg('For example: https://i.example.org. Empty for the address of this server.'),
  ],
  SHORT_PASTE_URL: [msg('Address of short links to pastes')],
  SHORT_URL_URL: [msg('Address of short links to web addresses')],
  DOMAINS: [msg('Whether accounts may have short links under domains of their own')],
  OCR: [
    msg('Words in pictures are read in'),
    msg(
      'Owners find their pictures by them. Only installed languages can be chosen. None checked: they are not read, and what was read is deleted.',
    ),
  ],
  SPEAKS: [msg('Clients that are understood'), msg('None checked: all of them.')],
};

const FIELD_LABELS: Readonly<Record<string, Message>> = {
  ISSUER: msg('Issuer'),
  CLIENT_ID: msg('Client ID'),
  CLIENT_SECRET: msg('Client secret'),
  LABEL: msg('Text of the button'),
  SCOPES: msg('Scopes'),
  ROLE_CLAIM: msg('Claim with the roles'),
  ROLE_MAP: msg('Roles by the value of the claim'),
  AUTO_REGISTER: msg('Whoever has no account gets one: true, invite or false'),
};

const WORDS: Readonly<Record<string, Message>> = {
  invite: msg('Whoever has an invite'),
  open: msg('Everybody'),
  closed: msg('Nobody'),
  approval: msg('Everybody, once an administrator has let them in'),
  password: msg('Password'),
  passkey: msg('Passkey'),
  oidc: msg('Other services'),
  all: msg('All of them'),
  none: msg('None'),
};

/** The same words, where they mean something else. */
const WORDS_OF: Readonly<Record<string, typeof WORDS>> = {
  DOMAINS: {
    off: msg('No'),
    approval: msg('Yes, once an administrator has approved each'),
    open: msg('Yes'),
  },
};

const wordOf = (name: string, word: string): string => {
  if (name === 'OCR') return /^[a-z]{3}$/.test(word) ? languageName(word) : word;
  const text = (WORDS_OF[name] ?? WORDS)[word];
  return text === undefined ? word : translateMessage(text);
};

function labelOf(name: string): readonly [label: string, hint: string | undefined] {
  const [label, hint] = LABELS[name] ?? [];
  if (label !== undefined) return [translateMessage(label), hint && translateMessage(hint)];
  const [, provider = '', field = ''] = /^OIDC_([A-Z0-9_]+?)_([A-Z]+(?:_[A-Z]+)?)$/.exec(name) ?? [];
  const known = FIELD_LABELS[field];
  return [known === undefined ? name : `${provider.toLowerCase()}: ${translateMessage(known)}`, undefined];
}

const valueWords = ({ name, value, choices }: SettingRecord): string | null =>
  value === null || choices === null
    ? value
    : value
        .split(',')
        .map((word) => wordOf(name, word.trim()))
        .join(', ');

const unsetWords = ({ name, usual }: SettingRecord): string =>
  usual === null ? t('Not set') : t('Not set ({usual})', { usual: wordOf(name, usual) });

/** Settings to look at: what each is, and whether the environment says it. */
export const SettingFacts = ({ of }: { readonly of: readonly SettingRecord[] }) => (
  <Facts
    of={of.map((setting) => [
      labelOf(setting.name)[0],
      <>
        <span dir="auto">
          {setting.secret && setting.set ? t('Set') : (valueWords(setting) ?? unsetWords(setting))}
        </span>
        {setting.fixed && (
          <>
            {' '}
            <Badge>{t('Set by {name}', { name: setting.name })}</Badge>
          </>
        )}
      </>,
    ])}
  />
);

/** The input of a setting; what the environment says is only shown. */
export function Setting({ setting, state }: { readonly setting: SettingRecord; readonly state: FormState }) {
  const { name, value, fixed, secret, set, choices, many, usual } = setting;
  const [label, about] = labelOf(name);
  const { field, box } = bind(state);
  if (fixed) return <SettingFacts of={[setting]} />;
  if (choices !== null && many) {
    const chosen = (value ?? '').split(',').map((word) => word.trim().toLowerCase());
    return (
      <fieldset class="checks">
        <legend>{label}</legend>
        {about !== undefined && <p class="hint">{about}</p>}
        {choices.map((word) => (
          <Check
            key={word}
            {...box(name, chosen.includes(word), word)}
            id={`${name}-${word}`}
            label={wordOf(name, word)}
          />
        ))}
        {state.errors[name] && <p class="error">{state.errors[name]}</p>}
      </fieldset>
    );
  }
  if (choices !== null)
    return (
      <Select
        {...field(name, value)}
        label={label}
        hint={about}
        options={[['', unsetWords(setting)], ...choices.map((word) => [word, wordOf(name, word)] as const)]}
      />
    );
  if (secret)
    return (
      <div>
        <Field
          name={name}
          error={state.errors[name]}
          type="password"
          label={label}
          hint={set ? t('It is set, and never shown. Empty keeps it.') : about}
          autocomplete="new-password"
        />
        {set && <Check name={`unset-${name}`} label={t('Remove it')} />}
      </div>
    );
  return (
    <Field
      {...field(name, value)}
      label={label}
      hint={about}
      placeholder={usual ?? undefined}
      spellcheck={false}
      autocomplete="off"
    />
  );
}

import { isKind, type Kind } from '../../../routers/base/kinds.js';
import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { actionFrom } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page/page.js';
import { SignInLink } from '../components/page/sign-in.js';
import { whetherRestorable } from '../format.js';
import { KIND_WORDS } from '../kinds.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';

/** Asks for the password of an item. Reveals nothing about it, not even its owner. */
export function PasswordPage({
  site,
  kind,
  action,
  meta,
  state = untouched,
}: FormPageProps<{
  readonly kind: Kind | 'collection' | 'request';
  readonly action: string;
  readonly meta: readonly Meta[];
}>) {
  const { field } = bind(state);
  return (
    <Page site={site} title={t('A protected item')} meta={meta} width="narrow">
      <div class="gate-page">
        <Icon name="lock" />
        <h1>
          {isKind(kind)
            ? translateMessage(KIND_WORDS[kind].locked)
            : t(
                kind === 'collection'
                  ? 'This collection is password-protected'
                  : 'This request is password-protected',
              )}
        </h1>
        <Form action={actionFrom(site, action)} state={state}>
          <Field
            {...field('password')}
            type="password"
            label={t('Password')}
            required
            autofocus
            autocomplete="off"
          />
          <Submit>{t('Open')}</Submit>
        </Form>
        {site.viewer === null && <SignInHint site={site} text={t('Is it yours?')} />}
      </div>
    </Page>
  );
}

/** Shown instead of a private item. */
export function PrivatePage({ site, meta }: PageProps<{ readonly meta: readonly Meta[] }>) {
  return (
    <Page site={site} title={t('A protected item')} meta={meta} width="narrow">
      <div class="gate-page">
        <Icon name="lock" />
        <h1>{t('This is private')}</h1>
        <p class="hint">{t('Only its owner can open it.')}</p>
        {site.viewer === null && <SignInLink site={site} look="primary" />}
      </div>
    </Page>
  );
}

/** What link previews are shown of something that is not theirs to see. */
export function PreviewedPage({ site, meta }: PageProps<{ readonly meta: readonly Meta[] }>) {
  return (
    <Page site={site} title={t('A protected item')} meta={meta} width="narrow">
      <div class="gate-page">
        <Icon name="lock" />
        <h1>{t('A protected item')}</h1>
      </div>
    </Page>
  );
}

/** Shown instead of the forms for creating something to accounts that may only read. */
export function ReadsOnlyPage({ site }: PageProps) {
  return (
    <Page site={site} title={t('Your account is read-only')} width="narrow">
      <div class="gate-page">
        <Icon name="lock" />
        <h1>{t('Your account is read-only')}</h1>
        <p class="hint">
          {t('Guests can only view what others share. Ask an administrator to change your role.')}
        </p>
        <LinkButton href="/">{t('Continue')}</LinkButton>
      </div>
    </Page>
  );
}

/**
 * Shown before a paste that can only be read once. The reader has to confirm, so that link previews cannot delete it.
 */
export function BurnPage({
  site,
  action,
  meta,
}: PageProps<{
  readonly action: string;
  readonly meta: readonly Meta[];
}>) {
  return (
    <Page site={site} title={t('A protected item')} meta={meta} width="narrow">
      <div class="gate-page">
        <Icon name="flame" />
        <h1>{t('This paste can only be read once')}</h1>
        <p class="hint">{t('Opening it deletes it for everyone.')}</p>
        <Form action={actionFrom(site, action)}>
          <Submit icon="eye">{t('Read it now')}</Submit>
        </Form>
      </div>
    </Page>
  );
}

/** Asks for confirmation before an item is deleted. */
export function DeletePage({
  site,
  kind,
  name,
  picture,
  action,
  back,
  kept,
}: PageProps<{
  readonly kind: Kind;
  /** Its title, file name or target. */
  readonly name: string;
  /** The address of a small picture of it; null for none. */
  readonly picture: string | null;
  readonly action: string;
  readonly back: string;
  /** How many days it can be restored. */
  readonly kept: number;
}>) {
  return (
    <Page site={site} title={translateMessage(KIND_WORDS[kind].deletion)} width="narrow">
      <div class="gate-page">
        {picture === null ? <Icon name="trash" /> : <img class="preview" src={picture} alt="" />}
        <h1>{translateMessage(KIND_WORDS[kind].deletion)}</h1>
        <p class="clip">{name}</p>
        <p class="hint">
          {t('Its links stop working immediately.')} {whetherRestorable(kept)}
        </p>
        <Form action={action}>
          <div class="actions">
            <Submit look="danger" icon="trash">
              {t('Delete')}
            </Submit>
            <LinkButton href={back} look="quiet">
              {t('Keep it')}
            </LinkButton>
          </div>
        </Form>
      </div>
    </Page>
  );
}

/** Confirms that an item was deleted. */
export function DeletedPage({ site, kind }: PageProps<{ readonly kind: Kind }>) {
  return (
    <Page site={site} title={t('Deleted')} width="narrow">
      <div class="gate-page">
        <Icon name="check" />
        <h1>{translateMessage(KIND_WORDS[kind].deleted)}</h1>
        <p class="hint">{t('Its links now lead to a “not found” page.')}</p>
        <LinkButton href="/">{t('Continue')}</LinkButton>
      </div>
    </Page>
  );
}

/** A form that opens an item by its ID. */
export function FindPage({ site }: PageProps) {
  return (
    <Page site={site} title={t('Open an item')} width="narrow">
      <div class="gate-page">
        <Icon name="search" />
        <h1>{t('Open an item')}</h1>
        <form class="form" method="get" action="/web/image-render">
          <Field name="id" label="ID" maxLength={64} required spellcheck={false} />
          <Submit>{t('Open')}</Submit>
        </form>
      </div>
    </Page>
  );
}

function SignInHint({ site, text }: PageProps<{ readonly text: string }>) {
  return (
    <p class="hint">
      {text} <SignInLink site={site} />
    </p>
  );
}

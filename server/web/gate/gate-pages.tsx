import type { Kind } from '../../../routers/kinds.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page/page.js';
import { SignInLink } from '../components/page/sign-in.js';
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
  readonly kind: Kind;
  readonly action: string;
  readonly meta: readonly Meta[];
}>) {
  return (
    <Page site={site} title="A protected item" meta={meta} shell="content" width="narrow">
      <div class="gate-page">
        <Icon name="lock" />
        <h1>This {KIND_WORDS[kind].noun} is password-protected</h1>
        <Form action={action} state={state}>
          <Field
            name="password"
            type="password"
            label="Password"
            error={state.errors.password}
            required
            autofocus
            autocomplete="off"
          />
          <Submit>Open</Submit>
        </Form>
        {site.viewer === null && <SignInHint site={site} text="Is it yours?" />}
      </div>
    </Page>
  );
}

/** Shown instead of a private item. */
export function PrivatePage({ site, meta }: PageProps<{ readonly meta: readonly Meta[] }>) {
  return (
    <Page site={site} title="A protected item" meta={meta} shell="content" width="narrow">
      <div class="gate-page">
        <Icon name="lock" />
        <h1>This is private</h1>
        <p class="hint">Only its owner can open it.</p>
        {site.viewer === null && <SignInLink site={site} look="primary" />}
      </div>
    </Page>
  );
}

/** Shown instead of the forms for creating something to accounts that may only read. */
export function ReadsOnlyPage({ site }: PageProps) {
  return (
    <Page site={site} title="Your account is read-only" width="narrow">
      <div class="gate-page">
        <Icon name="lock" />
        <h1>Your account is read-only</h1>
        <p class="hint">Guests can only view what others share. Ask an administrator to change your role.</p>
        <LinkButton href="/">Continue</LinkButton>
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
    <Page site={site} title="A protected item" meta={meta} shell="content" width="narrow">
      <div class="gate-page">
        <Icon name="flame" />
        <h1>This paste can only be read once</h1>
        <p class="hint">Opening it deletes it for everyone.</p>
        <Form action={action}>
          <Submit icon="eye">Read it now</Submit>
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
  action,
  back,
}: PageProps<{
  readonly kind: Kind;
  /** Its title, file name or target. */
  readonly name: string;
  readonly action: string;
  readonly back: string;
}>) {
  return (
    <Page site={site} title={`Delete this ${KIND_WORDS[kind].noun}?`} shell="content" width="narrow">
      <div class="gate-page">
        <Icon name="trash" />
        <h1>Delete this {KIND_WORDS[kind].noun}?</h1>
        <p class="clip">{name}</p>
        <p class="hint">Its links stop working immediately. This cannot be undone.</p>
        <Form action={action}>
          <div class="actions">
            <Submit look="danger" icon="trash">
              Delete
            </Submit>
            <LinkButton href={back} look="quiet">
              Keep it
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
    <Page site={site} title="Deleted" shell="content" width="narrow">
      <div class="gate-page">
        <Icon name="check" />
        <h1>The {KIND_WORDS[kind].noun} was deleted</h1>
        <p class="hint">Its links now lead to a “not found” page.</p>
        <LinkButton href="/">Continue</LinkButton>
      </div>
    </Page>
  );
}

/** A form that opens an item by its ID. */
export function FindPage({ site }: PageProps) {
  return (
    <Page site={site} title="Open an item" width="narrow">
      <div class="gate-page">
        <Icon name="search" />
        <h1>Open an item</h1>
        <form class="form" method="get" action="/web/image-render">
          <Field name="id" label="ID" maxLength={64} required spellcheck={false} />
          <Submit>Open</Submit>
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

import type { Kind } from '../../../db/content.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page.js';
import { SignInLink } from '../components/sign-in.js';
import type { Meta } from '../preview.js';
import type { Site } from '../site.js';

const nouns: Readonly<Record<Kind, string>> = { image: 'item', paste: 'paste', url: 'link' };

/** Stands before an item with a password. Says nothing of the item, not even whose it is. */
export function PasswordPage({
  site,
  kind,
  action,
  meta,
  state = untouched,
}: {
  readonly site: Site;
  readonly kind: Kind;
  readonly action: string;
  readonly meta: readonly Meta[];
  readonly state?: FormState | undefined;
}) {
  return (
    <Page site={site} title="A protected item" meta={meta} shell="content" width="narrow">
      <div class="door-page">
        <Icon name="lock" />
        <h1>This {nouns[kind]} has a password</h1>
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

/** Stands before a private item. */
export function PrivatePage({ site, meta }: { readonly site: Site; readonly meta: readonly Meta[] }) {
  return (
    <Page site={site} title="A protected item" meta={meta} shell="content" width="narrow">
      <div class="door-page">
        <Icon name="lock" />
        <h1>This is private</h1>
        <p class="hint">Only its owner can open it.</p>
        {site.viewer === null && <SignInLink site={site} look="primary" />}
      </div>
    </Page>
  );
}

/** Stands before the forms that make something, for an account that only reads. */
export function ReadsOnlyPage({ site }: { readonly site: Site }) {
  return (
    <Page site={site} title="Your account only reads" width="narrow">
      <div class="door-page">
        <Icon name="lock" />
        <h1>Your account only reads</h1>
        <p class="hint">
          A guest opens what others share. An administrator can give your account another role.
        </p>
        <LinkButton href="/">Go on</LinkButton>
      </div>
    </Page>
  );
}

/** Stands before a paste that burns: reading is a decision, so a preview cannot take it. */
export function BurnPage({
  site,
  action,
  meta,
}: {
  readonly site: Site;
  readonly action: string;
  readonly meta: readonly Meta[];
}) {
  return (
    <Page site={site} title="A protected item" meta={meta} shell="content" width="narrow">
      <div class="door-page">
        <Icon name="flame" />
        <h1>This paste can be read once</h1>
        <p class="hint">Opening it deletes it for everybody.</p>
        <Form action={action}>
          <Submit icon="eye">Read it now</Submit>
        </Form>
      </div>
    </Page>
  );
}

/** Asks before something is deleted for good. */
export function DeletePage({
  site,
  kind,
  name,
  action,
  back,
}: {
  readonly site: Site;
  readonly kind: Kind;
  /** Its title, its file name, or where it leads. */
  readonly name: string;
  readonly action: string;
  readonly back: string;
}) {
  return (
    <Page site={site} title={`Delete this ${nouns[kind]}?`} shell="content" width="narrow">
      <div class="door-page">
        <Icon name="trash" />
        <h1>Delete this {nouns[kind]}?</h1>
        <p class="clip">{name}</p>
        <p class="hint">Its links stop working at once. This cannot be undone.</p>
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

/** Says that something is deleted. */
export function DeletedPage({ site, kind }: { readonly site: Site; readonly kind: Kind }) {
  return (
    <Page site={site} title="Deleted" shell="content" width="narrow">
      <div class="door-page">
        <Icon name="check" />
        <h1>The {nouns[kind]} is deleted</h1>
        <p class="hint">Its links answer that there is nothing here.</p>
        <LinkButton href="/">Go on</LinkButton>
      </div>
    </Page>
  );
}

/** A form for an id, for those who have one on paper. */
export function FindPage({ site }: { readonly site: Site }) {
  return (
    <Page site={site} title="Open an item" width="narrow">
      <div class="door-page">
        <Icon name="search" />
        <h1>Open an item</h1>
        <form class="form" method="get" action="/web/image-render">
          <Field name="id" label="Its id" maxLength={64} required spellcheck={false} />
          <Submit>Open</Submit>
        </form>
      </div>
    </Page>
  );
}

function SignInHint({ site, text }: { readonly site: Site; readonly text: string }) {
  return (
    <p class="hint">
      {text} <SignInLink site={site} />
    </p>
  );
}

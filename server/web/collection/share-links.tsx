import { CopyButton, Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { Form, type FormState, typed } from '../components/form/form.js';
import { Badge, Card, Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { ShareLinkRecord } from '../records.js';

/** The share links of a collection, each with its own password, end and counter, and a form for another one. */
export function ShareLinks({
  path,
  links,
  state,
}: {
  readonly path: string;
  readonly links: readonly ShareLinkRecord[];
  readonly state: FormState;
}) {
  return (
    <Card
      title="Share links"
      hint="Each link opens the collection by itself. Revoke one, and the others still work."
    >
      <ul class="rows">
        {links.map((link) => (
          <li key={link.id}>
            <span class="what">
              <a href={link.url}>{link.note ?? `Link ${link.id}`}</a>{' '}
              {link.requiresPassword && <Badge icon="lock">Password</Badge>}
              <br />
              <span class="hint">
                {link.maxViews === null
                  ? plural(link.views, 'view')
                  : `${link.views} of ${plural(link.maxViews, 'view')}`}
                {link.expiresAt && (
                  <>
                    {' '}
                    · until <Time at={link.expiresAt} />
                  </>
                )}
              </span>
            </span>
            <form class="actions" method="post" action={path}>
              <input type="hidden" name="link" value={link.id} />
              <CopyButton text={link.url} look="quiet">
                Copy
              </CopyButton>
              <button type="submit" class="button quiet" name="action" value="revoke">
                Revoke
              </button>
            </form>
          </li>
        ))}
      </ul>
      <Form action={path} state={state}>
        <div class="pair">
          <Field
            name="note"
            label="For whom"
            hint="Only you see this."
            value={typed(state, 'note')}
            error={state.errors.note}
            maxLength={500}
            optional
          />
          <Field
            name="linkPassword"
            type="password"
            label="Password of the link"
            error={state.errors.linkPassword}
            autocomplete="new-password"
            optional
          />
          <Field
            name="linkExpiresAt"
            label="Ends on"
            hint="A date such as 2026-12-31"
            value={typed(state, 'linkExpiresAt')}
            error={state.errors.linkExpiresAt}
            optional
          />
          <Field
            name="linkMaxViews"
            type="number"
            label="Views of the link"
            value={typed(state, 'linkMaxViews')}
            error={state.errors.linkMaxViews}
            min={1}
            inputMode="numeric"
            optional
          />
        </div>
        <Submit look="plain" icon="link" name="action" value="share">
          Make a link
        </Submit>
      </Form>
    </Card>
  );
}

import { type Kind, takesSlugs } from '../../../routers/base/kinds.js';
import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { MAX_ID, SLUG_PATTERN } from '../../../routers/base/slug.js';
import { ID_PATTERN } from '../../../routers/core/items/ids.js';
import { revisionTag } from '../../../routers/core/items/revision.js';
import { editPath, itemPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { Minute } from '../components/form/date.js';
import { Field, FileInput } from '../components/form/field.js';
import { bind, Form, stateOf, untouched, wrongPassword } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { FormPageProps } from '../page-props.js';
import { type Edited, pageIdOf, shownMoment } from './editing.js';

/** Every field of an item. After a conflict the form has what its user wrote, and says what is saved now. */
export function EditPage({
  site,
  kind,
  item,
  choosesId,
  replaces,
  conflict = false,
  state = untouched,
}: FormPageProps<{
  readonly kind: Kind;
  readonly item: Edited;
  /** Whether its owner may choose its id. */
  readonly choosesId: boolean;
  /** Whether its bytes can be replaced. */
  readonly replaces: boolean;
  /** It was changed since the form was opened. */
  readonly conflict?: boolean;
}>) {
  const { record } = item;
  const words = stateOf(state, 'save');
  const path = editPath(kind, pageIdOf(record));
  const expires = shownMoment(record.expiresAt);
  const form = bind(words, (name, stored) => meanwhile(conflict, words.values[name], stored));
  const { field, box } = form;
  const fields = (
    <Card>
      <Form action={path} state={{ ...words, problem: conflict ? null : words.problem }} files>
        <input type="hidden" name="revision" value={revisionTag(kind, record)} />
        {item.fields(form)}
        <Field {...field('tags', record.tags.join(', '))} label={t('Tags')} hint={t('Separated by commas')} />
        <fieldset class="group">
          <legend>{t('Who can open it')}</legend>
          <Check {...box('private', !record.isPublic)} label={t('Only I can see it')} />
          <Field
            name="password"
            type="password"
            label={record.requiresPassword ? t('New password') : t('Password')}
            minLength={3}
            maxLength={100}
            autocomplete="new-password"
            error={wrongPassword(words)}
          />
          {record.requiresPassword && <Check {...box('removePassword')} label={t('Remove the password')} />}
        </fieldset>
        <fieldset class="group">
          <legend>{t('When it ends')}</legend>
          <Minute {...field('expiresAt', expires)} label={t('Expires')} />
          <input type="hidden" name="shownExpiresAt" value={expires} />
          {item.ends?.(form)}
        </fieldset>
        {(choosesId || item.further !== undefined) && (
          <details class="more" open={words.errors.uniqueId !== undefined || conflict}>
            <summary>{t('Advanced')}</summary>
            <div class="form">
              {item.further?.(form)}
              {choosesId && (
                <Field
                  {...field('uniqueId', record.uniqueId)}
                  label="ID"
                  maxLength={MAX_ID}
                  pattern={takesSlugs(kind) ? SLUG_PATTERN : ID_PATTERN}
                  hint={
                    record.aliases === undefined || record.aliases.length === 0
                      ? t('The old one keeps working.')
                      : t('These keep working, too: {join}', { join: record.aliases.join(', ') })
                  }
                  spellcheck={false}
                />
              )}
            </div>
          </details>
        )}
        <div class="actions">
          <Submit icon="check" name="action" value="save">
            {t('Save')}
          </Submit>
          <LinkButton href={itemPath(kind, pageIdOf(record))} look="quiet">
            {t('Cancel')}
          </LinkButton>
        </div>
      </Form>
    </Card>
  );
  return (
    <Page
      site={site}
      title={translateMessage(KIND_WORDS[kind].edit)}
      width={item.hasText || item.preview ? 'normal' : 'narrow'}
      scripts={item.scripts ?? []}
    >
      <Heading title={translateMessage(KIND_WORDS[kind].edit)} lead={record.uniqueId}>
        <LinkButton href={itemPath(kind, pageIdOf(record))} icon="external">
          {t('Open')}
        </LinkButton>
      </Heading>
      {conflict && (
        <p class="notice problem" role="alert">
          <Icon name="warning" />
          <span>
            {t(
              'It was changed in the meantime. Below is what you wrote; beside it is what is saved now. Saving again replaces that.',
            )}
          </span>
        </p>
      )}
      {item.preview ? (
        <div class="columns">
          {fields}
          <div class="stack beside">
            {item.preview}
            {replaces && <Replacement site={site} path={path} state={state} />}
          </div>
        </div>
      ) : (
        fields
      )}
    </Page>
  );
}

/** Other bytes under the same links. */
function Replacement({ site, path, state = untouched }: FormPageProps<{ readonly path: string }>) {
  return (
    <Card title={t('Replace the file')}>
      <Form action={`${path}/file`} state={stateOf(state, 'replace')} files>
        <p class="hint">
          {t('The links stay the same and show the new file.')}{' '}
          {site.acceptedTypes !== null &&
            t('Accepted here: {acceptedTypes}.', { acceptedTypes: site.acceptedTypes })}
        </p>
        <div class="field">
          <label for="file">{t('New file')}</label>
          <FileInput lost={state.lost.includes('file')} accept={site.accept} required />
        </div>
        <div class="actions">
          <Submit look="plain" icon="upload" name="action" value="replace">
            {t('Replace')}
          </Submit>
        </div>
      </Form>
    </Card>
  );
}

/** Says what is saved now if that is not what the user wrote. */
const meanwhile = (conflict: boolean, wrote: string | undefined, saved: string): string | undefined =>
  conflict && wrote !== undefined && wrote.trim() !== saved.trim()
    ? saved === ''
      ? t('Saved now: nothing')
      : t('Saved now: {saved}', { saved: saved.slice(0, 300) })
    : undefined;

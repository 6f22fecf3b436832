import { t } from '../../../routers/base/language/i18n.js';
import { deletePath, editPath, viewsPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState, stateOf, typed } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Badge } from '../components/parts.js';
import { FavouriteButton } from '../edit/favourite.js';
import { NotifyForm } from '../edit/notify.js';
import type { ListedImage } from '../records.js';
import { ShareButton } from '../share/share-button.js';

/** Actions of the owner; a moderator can only delete the item. */
export function Manage({
  image,
  mayChange,
  mayCount,
  state,
}: {
  readonly image: ListedImage;
  readonly mayChange: boolean;
  /** The reader is its owner or an administrator and may see its views. */
  readonly mayCount: boolean;
  readonly state: FormState;
}) {
  return (
    <>
      <p class="actions">
        {image.isPublic ? (
          <Badge icon="globe">{t('Anyone with the link')}</Badge>
        ) : (
          <Badge icon="lock">{t('Private')}</Badge>
        )}
        {image.requiresPassword && <Badge icon="key">{t('Password')}</Badge>}
      </p>
      {mayChange && <Change image={image} state={state} />}
      {mayChange && <NotifyForm kind="image" uniqueId={image.uniqueId} notify={image.notify} />}
      <div class="actions stacked">
        {mayCount && (
          <LinkButton href={viewsPath('image', image.uniqueId)} icon="chart" look="quiet">
            {t('Views')}
          </LinkButton>
        )}
        {mayChange && <FavouriteButton kind="image" uniqueId={image.uniqueId} favourite={image.favourite} />}
        {mayChange && <ShareButton kind="image" uniqueId={image.uniqueId} look="quiet" />}
        {mayChange && (
          <LinkButton href={editPath('image', image.uniqueId)} icon="pen" look="quiet">
            {t('Edit all')}
          </LinkButton>
        )}
        <a class="button quiet warns" href={deletePath('image', image.uniqueId)}>
          <Icon name="trash" />
          {t('Delete')}
        </a>
      </div>
    </>
  );
}

/** Description, privacy and password. */
function Change({ image, state }: { readonly image: ListedImage; readonly state: FormState }) {
  const action = `/web/image/${encodeURIComponent(image.uniqueId)}`;
  const words = stateOf(state, 'save');
  const lock = stateOf(state, 'lock');
  const { field, box } = bind(words);
  return (
    <details class="more" open={words.problem !== null || lock.problem !== null}>
      <summary>{t('Description and access')}</summary>
      <Form action={action} state={words}>
        {!image.sealed && (
          <Field {...field('description', image.description)} label={t('Description')} maxLength={200} />
        )}
        <Check {...box('private', !image.isPublic)} label={t('Only I can see it')} />
        <input
          type="hidden"
          name="shown-private"
          value={typed(words, 'shown-private', String(!image.isPublic)) ?? ''}
        />
        <Submit look="plain" name="action" value="save">
          {t('Save')}
        </Submit>
      </Form>
      <Form action={action} state={lock}>
        <Field
          {...bind(lock).field('password')}
          type="password"
          label={image.requiresPassword ? t('New password') : t('Password')}
          minLength={3}
          maxLength={100}
          autocomplete="off"
          hint={t('Anyone with the password can open the item.')}
          required
        />
        <div class="actions">
          <Submit look="plain" name="action" value="lock">
            {t('Set password')}
          </Submit>
          {image.requiresPassword && (
            <Submit look="quiet" name="action" value="unlock" unchecked>
              {t('Remove password')}
            </Submit>
          )}
        </div>
      </Form>
    </details>
  );
}

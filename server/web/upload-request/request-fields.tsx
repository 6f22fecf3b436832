import { t } from '../../../routers/base/language/i18n.js';
import type { Offered } from '../collection/offered.js';
import { Check, Select } from '../components/form/choices.js';
import { LastDay } from '../components/form/date.js';
import { Field, TextArea } from '../components/form/field.js';
import { type FormState, ticked, typed } from '../components/form/form.js';
import type { RequestRecord } from '../records.js';

const MIB = 1024 * 1024;
const text = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** The fields of a request link; those of a new one are empty. */
export function RequestFields({
  request,
  collections,
  state,
}: {
  readonly request: RequestRecord | null;
  readonly collections: readonly Offered[];
  readonly state: FormState;
}) {
  const { errors } = state;
  const offered = collections.map(({ uniqueId, title }) => [uniqueId, title] as const);
  const present = request?.collection ?? null;
  // It is in the trash, and receives files again once it is restored.
  if (present !== null && !offered.some(([uniqueId]) => uniqueId === present))
    offered.unshift([present, t('{name} (deleted)', { name: present })]);
  const mib = request?.maxBytes ? Math.ceil(request.maxBytes / MIB) : null;
  return (
    <>
      <Field
        name="title"
        label={t('What do you ask for?')}
        value={typed(state, 'title', request?.title)}
        error={errors.title}
        maxLength={200}
        required
      />
      <TextArea
        name="note"
        label={t('Note')}
        hint={t('Everybody who opens the link reads it.')}
        value={typed(state, 'note', request?.note)}
        error={errors.note}
        maxLength={2000}
        rows={2}
        optional
      />
      <div class="pair">
        <Field
          name="maxFiles"
          type="number"
          label={t('At most this many files')}
          value={typed(state, 'maxFiles', text(request?.maxFiles))}
          error={errors.maxFiles}
          min={1}
          inputMode="numeric"
          optional
        />
        <Field
          name="maxMiB"
          type="number"
          label={t('At most this many MiB together')}
          value={typed(state, 'maxMiB', text(mib))}
          error={errors.maxBytes}
          min={1}
          inputMode="numeric"
          optional
        />
        <Field
          name="types"
          label={t('Types')}
          hint={t('Such as image/*, .pdf')}
          value={typed(state, 'types', request?.types.join(', '))}
          error={errors.types}
          maxLength={500}
          optional
        />
        <LastDay name="expiresAt" label={t('Until')} stored={request?.expiresAt} state={state} />
        <Select
          name="collection"
          label={t('Into the collection')}
          value={typed(state, 'collection', request?.collection)}
          error={errors.collection}
          options={[['', t('None')], ...offered]}
        />
        <Field
          name="password"
          type="password"
          label={t('Password')}
          hint={request?.requiresPassword ? t('It has one; leave this empty to keep it.') : null}
          error={errors.password}
          autocomplete="new-password"
          optional
        />
      </div>
      {request?.requiresPassword && (
        <Check name="unlocked" label={t('Remove the password')} checked={ticked(state, 'unlocked', false)} />
      )}
      <Check
        name="askName"
        label={t('Ask for a name')}
        checked={ticked(state, 'askName', request?.askName ?? false)}
      />
      <Check
        name="notify"
        label={t('Tell me by e-mail what came in')}
        checked={ticked(state, 'notify', request?.notify ?? true)}
      />
      <Check
        name="seen"
        label={t('Guests see the names of what others sent')}
        checked={ticked(state, 'seen', request ? !request.blind : false)}
      />
    </>
  );
}

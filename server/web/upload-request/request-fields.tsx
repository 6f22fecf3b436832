import type { ComponentChildren } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import type { Offered } from '../collection/offered.js';
import { Check, Select } from '../components/form/choices.js';
import { LastDay } from '../components/form/date.js';
import { Amount, Field, TextArea } from '../components/form/field.js';
import { bind, type FormState } from '../components/form/form.js';
import { NotifyChoice } from '../edit/notify.js';
import type { RequestRecord } from '../records.js';

const MIB = 1024 * 1024;

/** The fields of a request link; those of a new one are empty. */
export function RequestFields({
  request,
  collections,
  state,
  children,
}: {
  readonly request: RequestRecord | null;
  readonly collections: readonly Offered[];
  readonly state: FormState;
  /** Further options. */
  readonly children?: ComponentChildren;
}) {
  const offered = collections.map(({ uniqueId, title }) => [uniqueId, title] as const);
  const present = request?.collection ?? null;
  // It is in the trash, and receives files again once it is restored.
  if (present !== null && !offered.some(([uniqueId]) => uniqueId === present))
    offered.unshift([present, t('{name} (deleted)', { name: present })]);
  const mib = request?.maxBytes ? Math.ceil(request.maxBytes / MIB) : null;
  const { field, box } = bind(state);
  return (
    <>
      <Field {...field('title', request?.title)} label={t('What do you ask for?')} maxLength={200} required />
      <TextArea
        {...field('note', request?.note)}
        label={t('Note')}
        hint={t('Everybody who opens the link reads it.')}
        maxLength={2000}
        rows={2}
      />
      <div class="pair">
        <LastDay {...field('expiresAt', request?.expiresAt)} label={t('Last day')} />
        <Select
          {...field('collection', request?.collection)}
          label={t('Save to')}
          options={[['', t('None')], ...offered]}
        />
      </div>
      <details class="more" open={state.problem !== null}>
        <summary>{t('Options')}</summary>
        <div class="form">
          <div class="pair">
            <Amount {...field('maxFiles', request?.maxFiles)} label={t('At most this many files')} />
            <Amount
              {...field('maxMiB', mib)}
              label={t('Total size limit (MiB)')}
              error={state.errors.maxBytes}
            />
            <Field
              {...field('types', request?.types.join(', '))}
              label={t('Types')}
              hint={t('Such as image/*, .pdf')}
              maxLength={500}
            />
            <Field
              {...field('password')}
              type="password"
              label={t('Password')}
              hint={request?.requiresPassword ? t('It has one; leave this empty to keep it.') : null}
              autocomplete="new-password"
            />
          </div>
          {request?.requiresPassword && <Check {...box('unlocked')} label={t('Remove the password')} />}
          <Check {...box('askName', request?.askName ?? false)} label={t('Ask for a name')} />
          <NotifyChoice
            {...field('notify', request?.notify ?? 'each')}
            label={t('Tell me about new files')}
          />
          <Check
            {...box('seen', request ? !request.blind : false)}
            label={t('Guests see each other’s file names')}
          />
          <Select
            {...field('wall', request?.wall)}
            label={t('Wall')}
            hint={t('A page on which guests see the pictures as they come in.')}
            options={[
              ['none', t('None')],
              ['all', t('Everything that comes in')],
              ['approved', t('What you approve')],
            ]}
          />
          <TextArea
            {...field('message', request?.message)}
            label={t('Words above the wall')}
            maxLength={500}
            rows={2}
          />
          <LastDay {...field('ends', request?.ends)} label={t('The link and its wall end')} />
          {children}
        </div>
      </details>
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import type { Offered } from '../collection/offered.js';
import { Check, Select } from '../components/form/choices.js';
import { Amount, Field } from '../components/form/field.js';
import { bind, type FormState } from '../components/form/form.js';
import { Holds, Lifetime, Options, OwnAddress, TagsField } from '../components/form/new-item.js';
import { NewPassword } from '../components/form/passwords.js';
import type { Site } from '../site.js';

/** The page for files that the server fetches, below `/web`. */
export const FROM_URL_PATH = '/image-upload/url';

/** The options of new items. */
export function UploadOptions({
  site,
  state,
  ofFiles = false,
  collections = [],
  into = '',
  sealing,
}: {
  readonly site: Site;
  readonly state: FormState;
  /** Whether they are chosen as files, perhaps several, which are sent at once. */
  readonly ofFiles?: boolean;
  /** Those that they can go into. */
  readonly collections?: readonly Offered[];
  /** The one that they go into unless another is chosen, by its id. */
  readonly into?: string;
  /** How they can be sealed. */
  readonly sealing?: ComponentChildren;
}) {
  const { field, box } = bind(state);
  const collection = collections.length > 0 && (
    <Select
      {...field('collection')}
      label={t('Collection')}
      value={field('collection').value ?? into}
      options={[['', t('None')], ...collections.map(({ uniqueId, title }) => [uniqueId, title] as const)]}
    />
  );
  const intoSealed = collections.some(({ uniqueId, sealed }) => uniqueId === into && sealed);
  const options = (
    <Options state={state} holds={<Holds site={site} />}>
      <div class="form">
        <div class="pair">
          <Field {...field('desc')} label={t('Description')} maxLength={200} />
          <OwnAddress
            state={state}
            hint={
              ofFiles
                ? t('Letters, digits, - and _. If you choose several files, only the first gets it.')
                : t('Letters, digits, - and _.')
            }
          />
          <NewPassword state={state} />
          <Lifetime site={site} state={state} />
          <Amount
            {...field('maxViews')}
            label={t('View limit')}
            hint={t('Playing a video may use several views; downloading it uses one.')}
          />
          <TagsField state={state} />
          {into === '' && collection}
        </div>
        {!intoSealed && sealing}
        <Check {...box('private')} label={t('Only I can see it')} />
        {ofFiles && (
          <Check
            {...box('unpack')}
            label={t('Unpack archives')}
            hint={t('The images and videos in a zip or tar file become a collection.')}
          />
        )}
      </div>
    </Options>
  );
  // Whoever comes from a collection sees that they go into it, and how they are sealed if they have to be.
  return into === '' ? (
    options
  ) : (
    <>
      {collection}
      {intoSealed && sealing}
      {options}
    </>
  );
}

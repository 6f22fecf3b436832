import { t } from '../../../routers/base/language/i18n.js';
import { Check } from '../components/form/choices.js';
import { Minute } from '../components/form/date.js';
import { Amount, Field, TextArea } from '../components/form/field.js';
import { type Editing, shownMoment } from '../edit/editing.js';
import { DomainChoice } from './domain-choice.js';
import { hostsOf } from './hosts.js';

/** How links are edited. */
export const linkEditing: Editing = {
  hasFile: false,
  idsByAdministrators: false,
  open: async (call, uniqueId) => {
    const record = await call.url.get({ uniqueId });
    const hosts = await hostsOf(call);
    return {
      record,
      fields: ({ field }) => (
        <>
          <Field
            {...field('url', record.originalUrl)}
            label="URL"
            inputMode="url"
            spellcheck={false}
            required
          />
          <DomainChoice
            hosts={[...new Set([...(record.domain === null ? [] : [record.domain]), ...hosts])]}
            value={field('domain', record.domain).value ?? null}
          />
          <TextArea
            {...field('note', record.note)}
            label={t('Note')}
            hint={t('Only you see it.')}
            rows={2}
            maxLength={2_000}
          />
        </>
      ),
      ends: ({ field }) => (
        <>
          <Minute {...field('startsAt', shownMoment(record.startsAt))} label={t('Works from')} />
          <Amount
            {...field('maxUses', record.maxUses === -1 ? null : record.maxUses)}
            label={t('Use limit')}
            hint={t('Used {visits, plural, one {# time} other {# times}} so far.', { visits: record.visits })}
          />
          <Field
            {...field('fallbackUrl', record.fallbackUrl)}
            label={t('Where it leads when it has ended')}
            inputMode="url"
            spellcheck={false}
          />
        </>
      ),
      further: ({ field, box }) => (
        <>
          <Check {...box('forwardQuery', record.forwardQuery)} label={t('Keep query parameters (?a=b)')} />
          <Check
            {...box('forwardPath', record.forwardPath)}
            label={t('Pass on the rest of the path (/id/more)')}
          />
          <Field
            {...field('previewTitle', record.preview?.title)}
            label={t('Title in link previews')}
            maxLength={200}
          />
          <Field
            {...field('previewDescription', record.preview?.description)}
            label={t('Text in link previews')}
            maxLength={1_000}
          />
          <Field
            {...field('previewImage', record.preview?.image)}
            label={t('Picture in link previews')}
            hint={t('The ID of a picture of yours that everybody may open.')}
            maxLength={64}
            spellcheck={false}
          />
        </>
      ),
    };
  },
  change: ({ url }, uniqueId, common, body) =>
    url.change({
      uniqueId,
      ...common,
      url: body.string('url'),
      maxUses: body.cleared((fields) => fields.number('maxUses'), 'maxUses'),
      forwardQuery: body.boolean('forwardQuery') ?? false,
      domain: body.text('domain'),
      fallbackUrl: body.string('fallbackUrl'),
      startsAt: body.string('startsAt') as never,
      forwardPath: body.boolean('forwardPath') ?? false,
      note: body.string('note'),
      preview: {
        title: body.string('previewTitle'),
        description: body.string('previewDescription'),
        image: body.string('previewImage'),
      },
    }),
};

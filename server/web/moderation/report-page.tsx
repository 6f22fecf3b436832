import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import type { ReportKind } from '../../../routers/features/moderation/reportable.js';
import { LinkButton, Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Solved } from '../components/form/solved.js';
import { Heading, Page } from '../components/page/page.js';
import { KIND_WORDS } from '../kinds.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import type { ChallengeTask } from '../records.js';

/** Reasons that the form offers; the interface takes any. Each is sent in English. */
const REASONS: Readonly<Record<string, Message>> = {
  Illegal: msg('Illegal'),
  'Abuse or harassment': msg('Abuse or harassment'),
  'Malware or phishing': msg('Malware or phishing'),
  Copyright: msg('Copyright'),
  Spam: msg('Spam'),
  'Something else': msg('Something else'),
};

/** The reason of a report, in the language of the page if it is one that the form offers, in whatever case. */
export const reasonWords = (reason: string): string => {
  const given = reason.trim().toLowerCase();
  const known = Object.entries(REASONS).find(([name]) => name.toLowerCase() === given);
  return known === undefined ? reason : translateMessage(known[1]);
};

/** What it is called beside its ID. */
export const nounOf = (kind: ReportKind): Message =>
  kind === 'collection' ? msg('collection') : KIND_WORDS[kind].noun;

const reportTitle = (kind: ReportKind): Message =>
  kind === 'collection' ? msg('Report this collection') : KIND_WORDS[kind].report;

/** Where an item is reported. */
const reportPath = (kind: ReportKind, uniqueId: string): string =>
  `/web/report/${kind}/${encodeURIComponent(uniqueId)}`;

/** A link to report an item, for those who cannot delete it themselves. */
export function ReportLink({ kind, uniqueId }: { readonly kind: ReportKind; readonly uniqueId: string }) {
  return (
    <p class="hint">
      <a href={reportPath(kind, uniqueId)} rel="nofollow">
        {translateMessage(reportTitle(kind))}
      </a>
    </p>
  );
}

/** The form in which anybody tells moderators what is wrong with an item. */
export function ReportPage({
  site,
  kind,
  uniqueId,
  task,
  state = untouched,
}: FormPageProps<{
  readonly kind: ReportKind;
  readonly uniqueId: string;
  /** What the browser has to solve first; null for nothing. */
  readonly task: ChallengeTask | null;
}>) {
  const { field } = bind(state);
  return (
    <Page
      site={site}
      title={translateMessage(reportTitle(kind))}
      width="narrow"
      scripts={task === null ? [] : ['proof']}
    >
      <Heading
        title={translateMessage(reportTitle(kind))}
        lead={t('The people who run this site will look at it. Its owner does not learn who you are.')}
      />
      <Form action={reportPath(kind, uniqueId)} state={state} {...(task === null ? {} : { challenge: task })}>
        <Select
          {...field('reason')}
          label={t('What is wrong with it?')}
          options={[['', t('Choose a reason')], ...optionsOf(Object.entries(REASONS))]}
          required
        />
        <TextArea {...field('details')} label={t('Details')} maxLength={2_000} />
        <Field
          {...field('email')}
          type="email"
          label={t('E-mail address')}
          autocomplete="email"
          hint={t('For questions.')}
        />
        {task === null ? (
          <Submit icon="shield">{t('Send report')}</Submit>
        ) : (
          <Solved>
            <Submit icon="shield">{t('Send report')}</Submit>
          </Solved>
        )}
      </Form>
    </Page>
  );
}

/** Says that a report was received, whatever there is to report. */
export function ReportedPage({ site }: PageProps) {
  return (
    <Page site={site} title={t('Report received')} width="narrow">
      <Heading title={t('Thank you')} lead={t('The report was received.')} />
      <LinkButton href="/" icon="home">
        {t('Start page')}
      </LinkButton>
    </Page>
  );
}

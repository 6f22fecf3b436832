import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Solved } from '../components/form/solved.js';
import { Heading, Page } from '../components/page/page.js';
import { Person } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { ChallengeTask, OpenedRequest } from '../records.js';
import { rich } from '../rich.js';

/** Stands before a request link where guests solve a challenge first; asks for its password, too. */
export function RequestProofPage({
  site,
  request,
  action,
  task,
  state = untouched,
}: FormPageProps<{
  readonly request: OpenedRequest;
  readonly action: string;
  readonly task: ChallengeTask;
}>) {
  const { field } = bind(state);
  return (
    <Page site={site} title={request.title} width="narrow" scripts={['proof']}>
      <Heading title={request.title} lead={request.note} />
      <p class="byline">
        {rich('{person} <hint>asks you for files.</hint>', {
          person: <Person user={request.owner} />,
          hint: (inside) => <span class="hint">{inside}</span>,
        })}
      </p>
      <Form action={action} state={state} challenge={task}>
        {request.requiresPassword && (
          <Field {...field('password')} type="password" label={t('Password')} autocomplete="off" required />
        )}
        <Solved>
          <Submit icon="upload">{t('Continue')}</Submit>
        </Solved>
      </Form>
    </Page>
  );
}

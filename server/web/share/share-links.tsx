import { t } from '../../../routers/base/language/i18n.js';
import { CopyButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { LastDay } from '../components/form/date.js';
import { Amount, Field, TextArea } from '../components/form/field.js';
import { bind, Form, type FormState } from '../components/form/form.js';
import { Badge, Card, Time } from '../components/parts.js';
import { NotifyChoice } from '../edit/notify.js';
import { count } from '../format.js';
import type { ShareLinkRecord } from '../records.js';
import { rich } from '../rich.js';

/** The share links of something, each with its own password, end and counter, and a form for another one. */
export function ShareLinks({
  path,
  links,
  smaller,
  sends,
  state,
}: {
  readonly path: string;
  /** Whether this installation sends mail. */
  readonly sends: boolean;
  /** Whether a link may show pictures in a smaller size only. */
  readonly smaller: boolean;
  readonly links: readonly ShareLinkRecord[];
  readonly state: FormState;
}) {
  const { field, box } = bind(state);
  return (
    <Card
      title={t('Share links')}
      hint={t('Each link works by itself, also for what is private. Revoke one, and the others still work.')}
    >
      <ul class="rows">
        {links.map((link) => (
          <li key={link.id}>
            <span class="what">
              <a href={link.url}>{link.label ?? t('Link {id}', { id: link.id })}</a>{' '}
              {link.requiresPassword && <Badge icon="lock">{t('Password')}</Badge>}
              {link.renditionsOnly && <Badge icon="image">{t('Smaller pictures')}</Badge>}
              <br />
              <span class="hint">
                {link.maxViews === null
                  ? t('{views, plural, one {# view} other {# views}}', { views: link.views })
                  : t('{views} of {limit, plural, one {# view} other {# views}}', {
                      views: count(link.views),
                      limit: link.maxViews,
                    })}
                {link.expiresAt && (
                  <>
                    {' · '}
                    {rich('until {time}', { time: <Time at={link.expiresAt} /> })}
                  </>
                )}
              </span>
            </span>
            <form class="actions" method="post" action={path}>
              <input type="hidden" name="link" value={link.id} />
              <CopyButton text={link.url} look="quiet">
                {t('Copy')}
              </CopyButton>
              <button type="submit" class="button quiet" name="action" value="revoke">
                {t('Revoke')}
              </button>
            </form>
          </li>
        ))}
      </ul>
      <Form action={path} state={state}>
        <div class="pair">
          <Field {...field('linkLabel')} label={t('Label')} hint={t('Only you see this.')} maxLength={500} />
          <Field
            {...field('linkPassword')}
            type="password"
            label={t('Password')}
            autocomplete="new-password"
          />
          <LastDay {...field('linkExpiresAt')} label={t('Last day')} />
          <Amount {...field('linkMaxViews')} label={t('View limit')} />
        </div>
        <NotifyChoice {...field('linkNotify')} label={t('Tell me when it is opened')} />
        {smaller && (
          <Check
            {...box('linkRenditionsOnly')}
            label={t('Show pictures in a smaller size only')}
            hint={t(
              'At most 1,600 pixels, without a download button. Whoever sees a picture can still copy it.',
            )}
          />
        )}
        <Submit look="plain" icon="link" name="action" value="share">
          {t('Create link')}
        </Submit>
      </Form>
      {sends && <SendForm path={path} state={state} />}
    </Card>
  );
}

/** Mails a link; each address gets one of its own. */
function SendForm({ path, state }: { readonly path: string; readonly state: FormState }) {
  const { field, box } = bind(state);
  return (
    <details class="more" open={state.values.to !== undefined}>
      <summary>{t('Send by e-mail')}</summary>
      <Form action={path} state={state}>
        <Field
          {...field('to')}
          label={t('To')}
          hint={t('Up to 20 addresses, separated by commas')}
          maxLength={4000}
          required
        />
        <TextArea {...field('message')} label={t('Message')} maxLength={2000} rows={3} />
        <Check
          {...box('own', true)}
          label={t('A link of their own for each')}
          hint={t('Views are then counted, and links revoked, for each person.')}
        />
        <Check {...box('replyTo')} label={t('Answers go to my e-mail address')} />
        <Submit look="plain" icon="mail" name="action" value="send">
          {t('Send')}
        </Submit>
      </Form>
    </details>
  );
}

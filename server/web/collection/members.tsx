import { msg, t } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState } from '../components/form/form.js';
import { Badge, Person } from '../components/parts.js';
import type { MemberRecord } from '../records.js';

const ROLES = [
  ['viewer', msg('looks at it')],
  ['adder', msg('adds own files')],
  ['editor', msg('edits it')],
] as const satisfies readonly (readonly [MemberRecord['role'], Message])[];

/** What a member may do, as a word on pages. */
export const roleName = (role: MemberRecord['role']): string =>
  optionsOf(ROLES).find(([value]) => value === role)?.[1] ?? role;

/** With whom a collection is kept together; its owner invites others here, and gives it away. */
export function Members({
  path,
  members,
  isOwner,
  offeredTo,
  state,
}: {
  readonly path: string;
  readonly members: readonly MemberRecord[];
  readonly isOwner: boolean;
  readonly offeredTo: string | null;
  readonly state: FormState;
}) {
  const { field } = bind(state);
  return (
    <section class="subject" id="members">
      <h2>{t('Members')}</h2>
      {isOwner && (
        <p class="hint">
          {t(
            'Whoever has an account here can keep it together with you. Files stay those of who added them.',
          )}
        </p>
      )}
      <ul class="rows">
        {members.map(({ username, user, role, offered }) => (
          <li key={username}>
            <span class="what">
              <Person user={user} /> <Badge>{roleName(role)}</Badge>
              {offered && <Badge look="warn">{t('is offered it')}</Badge>}
            </span>
            {isOwner && (
              <form class="actions" method="post" action={path}>
                <input type="hidden" name="username" value={username} />
                <button
                  type="submit"
                  class="button quiet"
                  name="action"
                  value="unmember"
                  aria-label={t('Remove {name}', { name: username })}
                >
                  {t('Remove')}
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {isOwner && (
        <Form action={path} state={state}>
          <div class="pair">
            <Field {...field('username')} label={t('Username')} maxLength={200} required spellcheck={false} />
            <Select {...field('role', 'viewer')} label={t('What they may do')} options={optionsOf(ROLES)} />
          </div>
          <div class="actions">
            <Submit look="plain" icon="plus" name="action" value="member">
              {t('Invite')}
            </Submit>
            <Submit look="quiet" name="action" value="offer">
              {t('Offer them the collection')}
            </Submit>
          </div>
          <p class="hint">
            {t('Who accepts a collection becomes its owner, and you an editor. Until then nothing changes.')}
          </p>
        </Form>
      )}
      {isOwner && offeredTo !== null && (
        <form class="actions" method="post" action={path}>
          <span>{t('It is offered to {name}.', { name: offeredTo })}</span>
          <Submit look="quiet" name="action" value="unoffer">
            {t('Take the offer back')}
          </Submit>
        </form>
      )}
    </section>
  );
}

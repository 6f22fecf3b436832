import { Submit } from '../button.js';
import { Icon, type IconName } from '../icon.js';
import { Form } from './form.js';

/**
 * A two-step button for something that cannot be undone: the first click explains the loss and shows the button that
 * does it. Needs no script; opening it changes nothing.
 */
export function Ask({
  action,
  value,
  icon = 'trash',
  label,
  lost,
  sure,
}: {
  readonly action: string;
  /** The value of `action` that the form sends. */
  readonly value: string;
  readonly icon?: IconName;
  /** The label of the first button. */
  readonly label: string;
  /** What the user would lose. */
  readonly lost: string;
  /** The label of the button that does it. */
  readonly sure: string;
}) {
  return (
    <details class="more ask">
      <summary>
        <Icon name={icon} />
        {label}
      </summary>
      <p>{lost}</p>
      <Form action={action}>
        <Submit look="danger" icon={icon} name="action" value={value}>
          {sure}
        </Submit>
      </Form>
    </details>
  );
}

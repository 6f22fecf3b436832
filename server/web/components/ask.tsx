import { Submit } from './button.js';
import { Form } from './form.js';
import { Icon, type IconName } from './icon.js';

/**
 * Does what cannot be undone, in two presses: the first says what is lost and shows the button that does it. It
 * needs no script, and looking at it changes nothing.
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
  /** What the form sends as `action`. */
  readonly value: string;
  readonly icon?: IconName;
  /** What may be done. */
  readonly label: string;
  /** What is lost by it. */
  readonly lost: string;
  /** The words of the button that does it. */
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

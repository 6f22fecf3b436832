import { Icon } from '../components/icon.js';
import { rich } from '../rich.js';

/** Tells the owner of a collection, or a moderator, that it is kept from everybody else; nothing if it is not. */
export function HiddenNotice({ reason }: { readonly reason: string | null }) {
  if (reason === null) return null;
  return (
    <p class="notice problem">
      <Icon name="warning" />
      <span>
        {rich(
          'A moderator hides this: <reason>{text}</reason>. Only its owner and moderators can open it, also by its share links.',
          { text: reason, reason: (inside) => <q dir="auto">{inside}</q> },
        )}
      </span>
    </p>
  );
}

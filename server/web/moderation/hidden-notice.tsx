import { Icon } from '../components/icon.js';

/** Tells the owner of a collection, or a moderator, that it is kept from everybody else; nothing if it is not. */
export function HiddenNotice({ reason }: { readonly reason: string | null }) {
  if (reason === null) return null;
  return (
    <p class="notice problem">
      <Icon name="warning" />
      <span>
        A moderator hides this: <q dir="auto">{reason}</q>. Only its owner and moderators can open it, also by
        its share links.
      </span>
    </p>
  );
}

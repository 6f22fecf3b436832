import { Field } from '../components/field.js';
import type { Site } from '../site.js';

/** How long an item may be kept, as the forms offer it; the value is hours. */
export const lifetimes = [
  ['', 'For good'],
  ['1', 'One hour'],
  ['24', 'One day'],
  ['168', 'One week'],
  ['720', '30 days'],
  ['8760', 'One year'],
] as const;

/** For visitors of a form that needs an account: the way in, or their key right here. */
export function KeyField({ site }: { readonly site: Site }) {
  return (
    <div class="card">
      <p>
        This needs an account. <a href={`/web/login?next=${encodeURIComponent(site.path)}`}>Sign in</a>, or
        give an API key.
      </p>
      <Field name="key" type="password" label="API key" autocomplete="off" spellcheck={false} />
    </div>
  );
}

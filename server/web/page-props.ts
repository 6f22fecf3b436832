import type { FormState } from './components/form/form.js';
import type { Site } from './site.js';

/** What a page shows, and the site that it is on. */
export type PageProps<Shown = unknown> = Shown & { readonly site: Site };

/** The same for a page with forms; `state` is that of the one that was refused. */
export type FormPageProps<Shown = unknown> = PageProps<Shown> & { readonly state?: FormState | undefined };

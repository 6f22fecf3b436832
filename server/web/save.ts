import type { VNode } from 'preact';
import { withQuery } from './address.js';
import type { FormState } from './components/form/form.js';
import { orShowAgain } from './refusal.js';
import { goTo, type PageAnswer, type PageRequest } from './request.js';

/** Runs the action of a settings form and confirms that it is saved, or shows the form again. */
export function save(
  request: PageRequest,
  path: string,
  again: (state: FormState) => Promise<VNode>,
  work: (request: PageRequest) => Promise<void>,
): Promise<PageAnswer> {
  return orShowAgain(
    request,
    async () => {
      await work(request);
      return goTo(withQuery(path, { done: 'saved' }));
    },
    again,
  );
}

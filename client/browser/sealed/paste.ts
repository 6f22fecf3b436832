/** Creates a sealed paste. Loaded with the first that is sealed. */
import type { SealedFor } from '../../src/sealed.js';
import { find } from '../find.js';
import { language, t } from '../speech.js';
import { optionsIn } from '../upload/parcel.js';
import { sealText } from './sealing.js';

interface Made {
  readonly message:
    | string
    | { readonly urlSet: { readonly shortUrl: string; readonly userPreference?: string | null } };
}

/** Seals the text of a form with its title and language, and creates the paste; returns its link, which has the key. */
export async function createSealed(form: HTMLFormElement, whom: SealedFor): Promise<string> {
  const fields = optionsIn(form);
  const said = (name: string): string | undefined => fields.get(name)?.toString();
  if ([...fields.keys()].some((name) => name.startsWith('text-')))
    throw new Error(t('A sealed paste has one text: empty the other files'));
  const [file] = find<HTMLInputElement>(form, 'input[type="file"]').files ?? [];
  const written = said('text') ?? (await file?.text()) ?? '';
  if (written === '') throw new Error(t('Enter some text, or choose a file that is not empty'));
  const named = { title: said('title'), language: said('language'), name: file?.name };
  const { text, sealedName, fragment } = await sealText(written, JSON.parse(JSON.stringify(named)), whom);
  const key = said('key');
  const answer = await fetch('/v1/paste/create', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': language,
      ...(key === undefined ? {} : { 'X-API-Key': key }),
    },
    body: JSON.stringify({
      ...{ text, sealedName, sealed: true, private: fields.has('private'), burn: fields.has('burn') },
      ...{ password: said('password'), expiresAt: said('expiresAt'), tags: said('tags')?.split(',') },
    }),
  });
  const { message } = (await answer.json()) as Made;
  if (typeof message === 'string') throw new Error(message);
  return `${message.urlSet.userPreference ?? message.urlSet.shortUrl}${fragment}`;
}

import { fail } from '../../../routers/base/errors.js';
import { t } from '../../../routers/base/language/i18n.js';
import { here, withQuery } from '../address.js';
import type { PasteRecord } from '../records.js';
import type { PageRequest } from '../request.js';

/** One of the texts of a paste: its language, what it is called, and its address. */
export interface ShownFile {
  /** Null for a paste of one text without a name. */
  readonly name: string | null;
  readonly content: string;
  readonly language: string | null;
  readonly path: string;
}

/** The file that a page is asked for (`file`), or the first; `path` is that of the paste. 404 for one that it does not have. */
export function shownFile(
  { query }: Pick<PageRequest, 'query'>,
  paste: PasteRecord,
  path: string,
): ShownFile {
  const asked = query.text('file');
  if (paste.files === null) return { name: null, content: paste.content, language: paste.language, path };
  const file = asked ? paste.files.find(({ name }) => name === asked) : paste.files[0];
  if (file === undefined) return fail('NOT_FOUND');
  return { ...file, content: file.text, path: withQuery(path, { file: file.name }) };
}

/** All texts of a paste. */
export const allFiles = ({ files, content, language, urlSet }: PasteRecord): ShownFile[] =>
  files?.map(({ text, ...file }) => ({ ...file, content: text, path: here(urlSet.webUrl) })) ?? [
    { name: null, content, language, path: here(urlSet.webUrl) },
  ];

/** The files of a paste; each is another address of its page. */
export const FileTabs = ({
  files,
  path,
  current,
}: {
  readonly files: NonNullable<PasteRecord['files']>;
  readonly path: string;
  readonly current: string | null;
}) => (
  <nav class="forms" aria-label={t('Files')}>
    {files.map(({ name }) => (
      <a
        key={name}
        href={withQuery(path, { file: name })}
        dir="auto"
        aria-current={name === current ? 'page' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
);

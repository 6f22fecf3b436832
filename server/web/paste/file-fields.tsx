import type { Fields } from '../../../rest-adapter/fields.js';
import { t } from '../../../routers/base/language/i18n.js';
import { MAX_FILES } from '../../../routers/features/paste/text.js';
import { Check, Select } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import type { bind } from '../components/form/form.js';
import type { PasteRecord } from '../records.js';
import { languageChoices } from './languages.js';

type Files = NonNullable<PasteRecord['files']>;
type FormOf = ReturnType<typeof bind>;

/** How many empty files a form offers beside those that are there. */
const OFFERED = 3;

/** The files of a paste, each with its name, text and language, and some more that may stay empty. */
export function FileFields({ form, files, first }: { form: FormOf; files: Files; first: number }) {
  const more = Math.max(0, Math.min(OFFERED, MAX_FILES + 1 - first - files.length));
  const offered = Array.from({ length: more }, (_, index) => first + files.length + index);
  const isOpen = offered.some((number) => form.field(`text-${number}`).value);
  return (
    <>
      {files.map((file, index) => (
        <FileField key={file.name} form={form} number={first + index} file={file} />
      ))}
      {more > 0 && (
        <details class="more" open={isOpen}>
          <summary>{t('More files')}</summary>
          <div class="form">
            {offered.map((number) => (
              <FileField key={number} form={form} number={number} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function FileField({
  form: { field, box },
  number,
  file,
}: {
  readonly form: FormOf;
  readonly number: number;
  readonly file?: Files[number];
}) {
  return (
    <fieldset class="group">
      <legend>{t('File {number}', { number })}</legend>
      <div class="pair">
        <Field
          {...field(`name-${number}`, file?.name)}
          label={t('File name')}
          maxLength={255}
          spellcheck={false}
        />
        <Select
          {...field(`language-${number}`, file?.language)}
          label={t('Language')}
          options={languageChoices()}
        />
      </div>
      <TextArea
        {...field(`text-${number}`, file?.text)}
        label={t('Text of {title}', { title: file?.name ?? unnamed(number) })}
        rows={file === undefined ? 6 : 14}
        code
        editor
        spellcheck={false}
      />
      {file !== undefined && <Check {...box(`remove-${number}`)} label={t('Remove this file')} />}
    </fieldset>
  );
}

/** What a file is called to which nobody gave a name. */
const unnamed = (number: number): string => `text-${number}.txt`;

/** The files of a sent form; those that are removed or were left empty are not among them. */
export const filesIn = (body: Fields) =>
  Array.from({ length: MAX_FILES }, (_, index) => index + 1).flatMap((number) => {
    const [name, text] = [body.string(`name-${number}`).trim(), body.string(`text-${number}`)];
    if (body.boolean(`remove-${number}`) === true || (name === '' && text === '')) return [];
    return [{ name: name || unnamed(number), text, language: body.text(`language-${number}`) ?? null }];
  });

import { list } from '../../../shared/variables.js';
import { setting } from '../../setting.js';
import { installedLanguages } from './languages.js';

const installed = installedLanguages();
const among = installed.length === 0 ? 'none is' : `installed: ${installed.join(', ')}`;

/** The variable with the languages whose words are read in pictures; none by default. */
export const readingVariables = {
  OCR: setting(
    'reading',
    list
      .transform((languages) => [...new Set(languages)])
      .superRefine((languages, ctx) => {
        for (const language of languages)
          if (!installed.includes(language))
            ctx.addIssue({ code: 'custom', message: `the language ${language} is not installed (${among})` });
      })
      .default([]),
    { choices: installed, many: true },
  ),
};

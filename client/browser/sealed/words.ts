import { SealError } from '../../src/sealed.js';
import { t } from '../speech.js';

/** Why something cannot be sealed or opened, in the language of the page. */
export function wordsOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'QuotaExceededError')
    return t('There is not enough room in the storage of this browser: use “holdall get”');
  if (!(error instanceof Error)) return t('This did not work');
  if (!(error instanceof SealError)) return error.message;
  switch (error.message) {
    case 'This key does not open it':
      return t('This key does not open it');
    case 'It was cut or changed: nothing of it is shown':
      return t('It was cut or changed: nothing of it is shown');
    case 'This is no secret key of age (AGE-SECRET-KEY-1…)':
      return t('This is no secret key of age (AGE-SECRET-KEY-1…)');
    case 'Say to whom it is sealed':
      return t('Say to whom it is sealed');
    case 'Keys of SSH are not taken here: seal with “age -R”, and send the age file':
      return t('Keys of SSH are not taken here: seal with “age -R”, and send the age file');
    default:
      return t('This is no public key of age (age1…)');
  }
}

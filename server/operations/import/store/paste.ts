import { insertPaste } from '../../../../db/content/paste.js';
import { cutText } from '../../../../routers/base/text/cut.js';
import type { Services } from '../../../../routers/core/context.js';
import { UNWRITTEN, type Written, writtenAs } from '../../../../routers/features/paste/files.js';
import { languageInput, MAX_TITLE_LENGTH } from '../../../../routers/features/paste/text.js';
import type { SourcePaste } from '../port.js';
import { common, type Imported, type Insert, inRows, type Place, tagsOf } from './item.js';

/** Pastes. */
export const paste: Imported<SourcePaste> = {
  called: 'pastes',
  refers: false,
  against: async (_app, item) => {
    writtenOf(item);
    return null;
  },
  store: inRows(preparePaste),
};

const writtenOf = ({ content, language, files }: SourcePaste): Written =>
  writtenAs(
    UNWRITTEN,
    files === undefined
      ? { text: content, language: languageInput.safeParse(language).data || null }
      : { files: files.map((file) => ({ ...file })) },
  );

async function preparePaste(_app: Services, item: SourcePaste, place: Place): Promise<Insert> {
  const text = writtenOf(item);
  return async (trx, uniqueId) => {
    const paste = await insertPaste(trx, {
      ...common(item, place, uniqueId),
      tags: tagsOf(item),
      ...text,
      title: item.title === null ? null : cutText(item.title, MAX_TITLE_LENGTH) || null,
      burn: item.burn,
    });
    return paste.id;
  };
}

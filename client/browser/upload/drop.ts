import { t } from '../speech.js';
import { isFolder } from './picked.js';

/** Dropped text belongs to the field that it is dropped on. */
const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** What was dropped: files, and folders whose content has to be read first. */
function droppedIn(data: DataTransfer | null): {
  readonly files: readonly File[];
  readonly folders: readonly FileSystemDirectoryEntry[];
} {
  // Only now: the browser takes the items away when the event is over.
  const items = Array.from(data?.items ?? []).map((item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  return {
    files: items.flatMap(({ entry, file }) => (entry?.isDirectory === true ? [] : (file ?? []))),
    folders: items.flatMap(({ entry }) => (entry !== null && isFolder(entry) ? entry : [])),
  };
}

const refuseFolders = (): void => alert(t('Folders cannot be uploaded. Choose the files in it instead.'));

/** Files can be dropped anywhere on the page, and folders where they can be used; the drop area shows it. */
export function dropTarget(
  area: Element | null,
  add: (files: readonly File[]) => void,
  addFolders: (folders: readonly FileSystemDirectoryEntry[]) => void = refuseFolders,
): void {
  document.addEventListener('dragover', (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    area?.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) area?.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    // A field of the page may have taken it.
    if (!bringsFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    area?.classList.remove('over');
    const { files, folders } = droppedIn(event.dataTransfer);
    add(files);
    if (folders.length > 0) addFolders(folders);
  });
}

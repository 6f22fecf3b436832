import { find } from '../find.js';
import { sealedFor } from '../sealed/choice.js';
import { tv } from '../values.js';
import { FolderPanel } from './folder-panel.js';
import { foldersOf, type PickedFolder, readFolder } from './picked.js';

/** The folders on the upload page, each with a panel of its own above the files. */
export class FolderPanels {
  readonly #panels = new Set<FolderPanel>();
  readonly #template = document.querySelector<HTMLTemplateElement>('#folder-panel');

  constructor(
    private readonly form: HTMLFormElement,
    private readonly list: HTMLElement,
    private readonly addFiles: (files: readonly File[]) => void,
  ) {
    // Not part of the page, because the form has no field for a folder.
    const input = document.createElement('input');
    input.type = 'file';
    input.webkitdirectory = true;
    input.addEventListener('change', () => {
      for (const folder of foldersOf(Array.from(input.files ?? []))) this.#add(folder);
      input.value = '';
    });
    find(form, '[data-choose-folder]').addEventListener('click', () => input.click());
  }

  /** Whether leaving the page would stop something. */
  get isBusy(): boolean {
    return [...this.#panels].some((panel) => panel.isBusy);
  }

  /** Takes folders that were dropped. */
  readonly addDropped = (entries: readonly FileSystemDirectoryEntry[]): void => {
    for (const entry of entries)
      void readFolder(entry).then(
        (folder) => this.#add(folder),
        () => alert(tv('The folder {name} cannot be read', { name: entry.name })),
      );
  };

  #add(folder: PickedFolder): void {
    // Its files are sealed one by one: the server would be told their hashes and paths otherwise.
    if (sealedFor(this.form) !== null) {
      void Promise.all(folder.files.map(({ open }) => open())).then((files) =>
        this.addFiles(files.filter((file) => file instanceof File)),
      );
      return;
    }
    const section = this.#template?.content.firstElementChild?.cloneNode(true);
    if (!(section instanceof HTMLElement)) throw new Error('the template of a folder is empty');
    this.list.before(section);
    const panel = new FolderPanel(this.form, section, folder, () => this.#panels.delete(panel));
    this.#panels.add(panel);
    void panel.examine();
  }
}

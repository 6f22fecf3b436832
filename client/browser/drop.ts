/** Dropped text belongs to the field that it is dropped on. */
const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** The dropped files. Browsers provide no contents for folders, so the user is told to choose files. */
function filesOf(dropped: DataTransfer | null): File[] {
  const files = Array.from(dropped?.items ?? []).flatMap((item) => {
    if (item.webkitGetAsEntry()?.isDirectory !== true) return item.getAsFile() ?? [];
    alert('Folders cannot be uploaded. Choose the files in it instead.');
    return [];
  });
  return files;
}

/** Files can be dropped anywhere on the page; the drop area shows it. */
export function dropTarget(area: Element | null, add: (files: readonly File[]) => void): void {
  document.addEventListener('dragover', (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    area?.classList.add('over');
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) area?.classList.remove('over');
  });
  document.addEventListener('drop', (event) => {
    if (!bringsFiles(event)) return;
    event.preventDefault();
    area?.classList.remove('over');
    add(filesOf(event.dataTransfer));
  });
}

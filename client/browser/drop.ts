/** Text is for the fields it is dropped into. */
const bringsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** What was dropped; folders, of which a browser hands over nothing that could be sent, are told of. */
function filesOf(dropped: DataTransfer | null): File[] {
  const files = Array.from(dropped?.items ?? []).flatMap((item) => {
    if (item.webkitGetAsEntry()?.isDirectory !== true) return item.getAsFile() ?? [];
    alert('A folder cannot be sent: choose the files in it.');
    return [];
  });
  return files;
}

/** The whole page takes files; the drop area says so while they hover. */
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

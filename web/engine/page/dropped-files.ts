/**
 * What was dropped, as files: a folder's entries are known to this thread alone, and files go to a
 * worker. They have to be asked for before the event is over.
 */

const filesIn = async (entry: FileSystemEntry): Promise<File[]> => {
  if (entry.isFile)
    return [
      await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject);
      }),
    ];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // Some at a time, until there are none.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (!some.length) return found;
    const files = some.filter(({ isFile }) => isFile);
    found.push(...(await Promise.all(files.map(filesIn))).flat());
  }
};

/** Files, and those that lie right in a folder. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const folders = entries.filter((entry) => entry?.isDirectory);
  // Some browsers, and some programs that one drags from, know files and no entries.
  if (!folders.length) return [...transfer.files];
  return (await Promise.all(entries.filter((entry) => entry !== null).map(filesIn))).flat();
}

/**
 * Dropped files and folders as a list of files. Only this thread can read a folder's entries, and
 * they must be requested before the event ends; the worker gets the files.
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
    // Each call returns some entries; an empty list is the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (!some.length) return found;
    const files = some.filter(({ isFile }) => isFile);
    found.push(...(await Promise.all(files.map(filesIn))).flat());
  }
};

const depthOf = ({ webkitRelativePath }: File) => webkitRelativePath.split("/").length;

/**
 * Returns the files that lie beside the uppermost weights of a chosen folder, whose list includes
 * all subfolders. Done here because a worker does not receive a file's path.
 */
export function chosenFiles(list: FileList): File[] {
  const files = [...list];
  const weights = files.filter(({ name }) => /\.(?:gguf|safetensors)$/.test(name));
  const depth = Math.min(...(weights.length ? weights : files).map(depthOf));
  return files.filter((file) => depthOf(file) === depth);
}

/** Returns the dropped files, and those directly in a dropped folder. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const folders = entries.filter((entry) => entry?.isDirectory);
  // Some browsers, and some programs to drag from, give files but no entries.
  if (!folders.length) return [...transfer.files];
  return (await Promise.all(entries.filter((entry) => entry !== null).map(filesIn))).flat();
}

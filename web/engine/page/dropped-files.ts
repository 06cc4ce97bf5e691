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

const depthOf = ({ webkitRelativePath }: File) => webkitRelativePath.split("/").length;

/**
 * Of a folder that was chosen, which comes with the files of the folders within it, those that lie
 * beside the uppermost weights. Said here, since a worker need not be told where a file lies.
 */
export function chosenFiles(list: FileList): File[] {
  const files = [...list];
  const weights = files.filter(({ name }) => /\.(?:gguf|safetensors)$/.test(name));
  const depth = Math.min(...(weights.length ? weights : files).map(depthOf));
  return files.filter((file) => depthOf(file) === depth);
}

/** Files, and those that lie right in a folder. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry());
  const folders = entries.filter((entry) => entry?.isDirectory);
  // Some browsers, and some programs that one drags from, know files and no entries.
  if (!folders.length) return [...transfer.files];
  return (await Promise.all(entries.filter((entry) => entry !== null).map(filesIn))).flat();
}

/** A path reaches the engine only because a person chose it: here, by dropping a file, or on the command line. */
import { dialog, type BrowserWindow } from 'electron';
import { WORDS, type Language } from './words.ts';

/** Absolute path of the chosen file; null when the dialog was dismissed. */
export async function chooseFile(window: BrowserWindow, language: Language): Promise<string | null> {
  const words = WORDS[language];
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: words.openTitle,
    properties: ['openFile'],
    filters: [
      { name: words.databases, extensions: ['db', 'sqlite', 'sqlite3'] },
      { name: words.allFiles, extensions: ['*'] },
    ],
  });
  return canceled ? null : (filePaths[0] ?? null);
}

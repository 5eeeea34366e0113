/** What Monaco finds on the page: its one worker, and the way in which it may write markup. */
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { keepStylesStrict, withoutStyles } from './strict-styles.ts';

globalThis.MonacoEnvironment = {
  getWorker: () => new EditorWorker(),
  createTrustedTypesPolicy: (name) => ({ name, createHTML: withoutStyles }),
};
keepStylesStrict();

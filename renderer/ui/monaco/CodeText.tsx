/** A read-only text with folding and search inside it, for bodies that are longer than a page. */
import { useEffect, useRef } from 'react';
import './monaco.css';
import { monaco, sharedOptions, wearTheme } from './setup.ts';

export type CodeTextProps = {
  readonly text: string;
  readonly language: 'json' | 'plaintext';
  readonly theme: string;
  readonly label: string;
};

export function CodeText({ text, language, theme, label }: CodeTextProps): React.JSX.Element {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<monaco.editor.IStandaloneCodeEditor | null>(null);

  useEffect(() => {
    if (!host.current) return;
    wearTheme();
    const made = monaco.editor.create(host.current, {
      ...sharedOptions(),
      folding: true,
      foldingStrategy: 'indentation',
      showFoldingControls: 'always',
      model: null,
    });
    editor.current = made;
    return () => {
      const model = made.getModel();
      made.dispose();
      model?.dispose();
      editor.current = null;
    };
  }, []);

  useEffect(wearTheme, [theme]);

  useEffect(() => editor.current?.updateOptions({ ariaLabel: label }), [label]);

  useEffect(() => {
    const made = editor.current;
    if (!made) return;
    const old = made.getModel();
    made.setModel(monaco.editor.createModel(text, language));
    old?.dispose();
  }, [text, language]);

  return <div ref={host} className="monaco-host" data-testid="code-text" />;
}

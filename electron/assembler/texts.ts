/**
 * The assembler writes a few sentences of its own into prompts (seed 1, section 6). They exist in exactly two
 * languages: sessions in Simplified Chinese read Chinese, all others English. Placeholders of the sentences are
 * named beside the ids:
 *
 *   preamble.language {language} · preamble.completion.completing-tool {tools} · cue.manual {runtime} ·
 *   note.rows-shown {total} {shown} · note.npcs-not-shown {names} · lore.heading {label} · picture.note-of {caption} ·
 *   picture.line {n} · picture.line-of {n} {caption} · retry.hint {n} {problem} · dimensions.not-shown {count} ·
 *   summary.target {tokens}
 */
import {
  AssemblyError,
  FRAMEWORK_TEXT_IDS,
  type FrameworkTextId,
  type FrameworkTexts,
  type InstructionLanguage,
} from './types.ts';

/** The parsed resource files `en.json` and `zh.json`: id → sentence. */
export type TextFiles = Readonly<Record<InstructionLanguage, unknown>>;

/** Puts values in the place of `{name}`, in one pass: a value is never read as a placeholder again. */
export const fill = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));

/**
 * The sentences of one language. Throws AssemblyError `configuration` when a file lacks a sentence, naming its id.
 */
export function frameworkTexts(files: TextFiles, language: InstructionLanguage): FrameworkTexts {
  const file = files[language];
  const sentences = new Map<FrameworkTextId, string>();
  for (const id of FRAMEWORK_TEXT_IDS) {
    const sentence =
      typeof file === 'object' && file !== null && Object.hasOwn(file, id)
        ? (file as Readonly<Record<string, unknown>>)[id]
        : undefined;
    if (typeof sentence !== 'string' || sentence.trim() === '') {
      throw new AssemblyError('configuration', `prompts/${language}.json#${id}`, `The sentence ${id} is missing.`);
    }
    sentences.set(id, sentence);
  }
  return {
    language,
    text: (id, values = {}) => fill(sentences.get(id) ?? '', values),
  };
}

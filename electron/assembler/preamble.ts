/**
 * The framework opens every prompt with three blocks: what a runtime is, which language it writes, how it ends. They
 * are written in the instruction language and are missing only where the turn has no locale (seed 1, section 3).
 */
import { languageName } from './locale.ts';
import type { FrameworkTextId, FrameworkTexts, RuntimeManifest } from './types.ts';

/** How a run of the runtime comes to its end; the first that fits. */
export type CompletionMode =
  'story' | 'completing-tool' | 'structured-output' | 'runtime-done' | 'runtime-done-required';

const MODES: readonly (readonly [mode: CompletionMode, fits: (manifest: RuntimeManifest) => boolean])[] = [
  ['story', (manifest) => manifest.outputKind === 'story'],
  ['completing-tool', (manifest) => manifest.requireToolUse === true && (manifest.completeAfterTools ?? []).length > 0],
  ['structured-output', (manifest) => manifest.output?.schema != null],
  ['runtime-done-required', (manifest) => manifest.requireToolUse === true],
  ['runtime-done', () => true],
];

export const completionMode = (manifest: RuntimeManifest): CompletionMode =>
  MODES.find(([, fits]) => fits(manifest))?.[0] ?? 'runtime-done';

/** Tool names in backticks, as alternatives. */
const toolList = (tools: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(tools.map((tool) => `\`${tool}\``));

/** The preamble; empty without a locale. */
export function frameworkPreamble(
  manifest: RuntimeManifest,
  locale: string | null | undefined,
  texts: FrameworkTexts,
): string {
  if (locale == null || locale.trim() === '') return '';
  const completion: FrameworkTextId = `preamble.completion.${completionMode(manifest)}`;
  return [
    texts.text('preamble.runtime'),
    texts.text('preamble.language', { language: languageName(locale, texts.language) }),
    texts.text(completion, { tools: toolList(manifest.completeAfterTools ?? [], texts.language) }),
  ].join('\n');
}

/**
 * What the summary model reads. Its system prompt is a template (resources/prompts/summary.en.md, summary.zh.md) with the
 * placeholders `{focus}`, a bullet list, and `{language}`. Sentences used here: summary.focus-events,
 * summary.focus-relations, summary.focus-world, summary.target {tokens}, summary.truncated.
 */
import { instructionLanguage, languageName } from '../../assembler/locale.ts';
import { fill } from '../../assembler/texts.ts';
import type { FrameworkTexts, InstructionLanguage } from '../../assembler/types.ts';
import type { CompactionMessage, CompactionSummary } from '../types.ts';

/** Template and sentences of one instruction language; a missing template is null. */
export type SummaryPrompts = Readonly<
  Record<InstructionLanguage, { readonly template: string | null; readonly texts: FrameworkTexts }>
>;

export type SummaryWording = {
  readonly system: string;
  readonly focusSections: readonly string[];
  readonly texts: FrameworkTexts;
};

/**
 * The wording for a session: Simplified Chinese sessions read Chinese, all others English. null without a template.
 * @param focusSections the three usual ones if null
 */
export function wordingFor(
  locale: string | null,
  prompts: SummaryPrompts,
  focusSections: readonly string[] | null,
  forced: InstructionLanguage | null,
): SummaryWording | null {
  const language = instructionLanguage(locale, forced);
  const { template, texts } = prompts[language];
  if (template === null || template.trim() === '') return null;
  const focus = focusSections ?? [
    texts.text('summary.focus-events'),
    texts.text('summary.focus-relations'),
    texts.text('summary.focus-world'),
  ];
  const system = fill(template, {
    focus: focus.map((section) => `- ${section}`).join('\n'),
    language: languageName(locale ?? language, language),
  });
  return { system: system.trim(), focusSections: focus, texts };
}

/** Rows without text are covered, but there is nothing of them to print. */
export const isPrinted = (row: CompactionMessage): boolean => row.content.trim() !== '';

const withTarget = (parts: readonly string[], targetTokens: number, texts: FrameworkTexts): string =>
  [...parts, texts.text('summary.target', { tokens: targetTokens })].join('\n\n');

/** The request for a fresh segment: the passage, a line a row, and the length wanted. */
export const passagePrompt = (
  rows: readonly CompactionMessage[],
  targetTokens: number,
  texts: FrameworkTexts,
): string => {
  const lines = rows.filter(isPrinted).map((row) => `[${row.role}]: ${row.content}`);
  return withTarget(lines, targetTokens, texts);
};

/** The request for a merged segment: the old summaries alone, with a rule between them. */
export const mergePrompt = (
  summaries: readonly CompactionSummary[],
  targetTokens: number,
  texts: FrameworkTexts,
): string => withTarget([summaries.map(({ content }) => content).join('\n\n---\n\n')], targetTokens, texts);

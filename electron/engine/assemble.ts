/**
 * The command line's way into the assembler: the parameters of `buildContext` as JSON, and back the prompt with the
 * address of every segment. Addresses point into the answer itself (`/systemPrompt`, `/messages/3/content`).
 */
import { buildContext } from '../assembler/build-context.ts';
import { instructionLanguage } from '../assembler/locale.ts';
import { AssemblyError, type AssembledContext, type AssembledSegment, type LlmMessage } from '../assembler/types.ts';
import { ok, type Result } from '../../shared/error.ts';
import type { Protocol, SegmentRow, TextAt } from '../../shared/model/index.ts';
import { estimateTokens } from '../../shared/tokens.ts';
import { chars, estimated } from '../../shared/units.ts';
import { AssembleInput, buildParams } from './assemble-input.ts';
import { wireOf, type ConvertReport } from './convert.ts';
import { parseInput, refuse } from './json-input.ts';
import { createPromptTexts } from './prompt-texts.ts';

export type AssembleReport = Pick<
  AssembledContext,
  | 'systemPrompt'
  | 'frameworkHead'
  | 'turnContext'
  | 'messages'
  | 'currentTurnUserMessages'
  | 'prunedMessageCount'
  | 'overBudget'
> & {
  readonly segments: readonly SegmentRow[];
  /** What a protocol sends of it, where one was asked for. Its map names the segments. */
  readonly wire?: ConvertReport;
};

/**
 * Assembles one JSON input. `resources`: the package's folder of that name. `forced`: the instruction language of the
 * environment, which the input's own `instructionLocale` wins over. `protocol`: adds what it sends of the prompt.
 * Errors: `bad-input`, with the field.
 */
export async function assembleJson(
  inputText: string,
  resources: string,
  forced: 'en' | 'zh' | null = null,
  protocol: Protocol | null = null,
): Promise<Result<AssembleReport>> {
  const parsed = parseInput(inputText, AssembleInput);
  if (!parsed.ok) return parsed;
  const params = buildParams(parsed.value);
  const language = instructionLanguage(params.turnInput.locale, params.instructionLocale ?? forced);
  const texts = createPromptTexts(resources).framework(language);
  try {
    const report = reportOf(await buildContext(params, texts));
    if (protocol === null) return ok(report);
    const sent = wireOf(report, report.segments, params, protocol, texts);
    if (!sent.ok) return sent;
    return ok({ ...report, segments: [...report.segments, ...sent.value.added], wire: sent.value.wire });
  } catch (thrown) {
    if (thrown instanceof AssemblyError) return refuse(thrown.field, thrown.message, thrown.code);
    throw thrown;
  }
}

/** The contract's answer: strings, messages, and every segment with its spans. */
export function reportOf(context: AssembledContext): AssembleReport {
  const { systemPrompt, frameworkHead, turnContext, messages } = context;
  const { currentTurnUserMessages, prunedMessageCount, overBudget } = context;
  const placed = [
    ...spread(context.system.segments, [{ path: '/systemPrompt', length: systemPrompt.length }]),
    ...context.segmented.flatMap(({ message, segments }, i) => spread(segments, textsOf(message, i))),
  ];
  return {
    systemPrompt,
    frameworkHead,
    turnContext,
    messages,
    currentTurnUserMessages,
    prunedMessageCount,
    overBudget,
    segments: placed
      .filter(({ spans }) => spans.length > 0)
      .map(({ segment: { kind, role: speaker, plugin, runtime, label, turnId, volatility, text: own }, spans }, i) => ({
        id: `s${i + 1}`,
        kind,
        role: speaker,
        origin: { plugin, runtime, label, turnId },
        volatility,
        proof: 'structure',
        chars: chars(own.length),
        tokens: estimated(estimateTokens(own)),
        spans,
      })),
  };
}

type Place = { readonly path: string; readonly length: number };

const textsOf = ({ content }: LlmMessage, index: number): readonly Place[] =>
  typeof content === 'string'
    ? [{ path: `/messages/${index}/content`, length: content.length }]
    : content.flatMap((part, at) =>
        part.type === 'text' ? [{ path: `/messages/${index}/content/${at}/text`, length: part.text.length }] : [],
      );

/** Lays the segments of one text over the strings it stands in. */
function spread(
  segments: readonly AssembledSegment[],
  places: readonly Place[],
): readonly { readonly segment: AssembledSegment; readonly spans: readonly TextAt[] }[] {
  let at = 0;
  let offset = 0;
  return segments.map((one) => {
    const spans: TextAt[] = [];
    let left = one.text.length;
    for (let place = places[at]; left > 0 && place; place = places[at]) {
      const end = Math.min(place.length, offset + left);
      if (end > offset) spans.push({ path: place.path, start: chars(offset), end: chars(end) });
      left -= end - offset;
      offset = end;
      if (offset === place.length && left > 0) {
        at++;
        offset = 0;
      } else break;
    }
    return { segment: one, spans };
  });
}

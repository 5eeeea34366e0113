/**
 * Typed inputs reach an agent as one block of JSON: the slot as it is, its value without bookkeeping, its source
 * reduced to plugin and runtime (a result id is for tools and the kernel only). A story that already stands in the
 * conversation is not sent a second time (seed 1, sections 1 and 4; assembler page, section 3.2).
 *
 * Text: `note.narrative-sent`.
 */
import type { Json } from '../../../shared/model/index.ts';
import type { Activation, FrameworkTexts, HistoryRecord, Slot, SlotSource } from '../types.ts';
import { block, escapeXml } from './escape.ts';
import { compactJson, modelFacingJson } from './model-facing.ts';

type Slots = { readonly [name: string]: Slot };
type Entry = readonly [string, Json];

const reducedSource = ({ pluginId, runtimeId }: SlotSource): Json => ({ pluginId, runtimeId });

/** The properties of a slot or of one item in their own order. */
function shownEntries(
  holder: Slot | Extract<Slot, { cardinality: 'all' }>['items'][number],
  showValue: (value: Json) => Json,
): readonly Entry[] {
  const parts: readonly (readonly [string, unknown])[] = Object.entries(holder);
  return parts.flatMap(([key, part]): readonly Entry[] => {
    switch (key) {
      case 'cardinality':
        return [[key, part as string]];
      case 'value':
        return [[key, showValue(part as Json)]];
      case 'source':
        return [[key, reducedSource(part as SlotSource)]];
      case 'items':
        return [
          [
            key,
            (part as Extract<Slot, { cardinality: 'all' }>['items']).map((item) =>
              Object.fromEntries(shownEntries(item, showValue)),
            ),
          ],
        ];
      default:
        return [];
    }
  });
}

function slotsBlock(
  tag: string,
  slots: Slots | undefined,
  showOne: (value: Json, field: string) => Json,
): string | null {
  const entries = Object.entries(slots ?? {});
  if (entries.length === 0) return null;
  const shown = entries.map(([name, slot]): Entry => {
    const field = `${tag}.${name}`;
    const show = slot.cardinality === 'one' ? showOne : modelFacingJson;
    return [name, Object.fromEntries(shownEntries(slot, (value) => show(value, field)))];
  });
  return block(tag, escapeXml(compactJson(Object.fromEntries(shown))));
}

/**
 * `<runtime-inputs>`, or null without slots. A `one` slot whose whole value is a story of this execution points at the
 * conversation instead.
 */
export function runtimeInputsBlock(
  slots: Slots | undefined,
  executionStory: readonly HistoryRecord[],
  texts: FrameworkTexts,
): string | null {
  const stories = new Set(executionStory.map(({ content }) => content).filter((content) => content !== ''));
  return slotsBlock('runtime-inputs', slots, (value, field) =>
    typeof value === 'string' && stories.has(value) ? texts.text('note.narrative-sent') : modelFacingJson(value, field),
  );
}

/** `<runtime-exports>`, or null without slots. */
export const runtimeExportsBlock = (slots: Slots | undefined): string | null =>
  slotsBlock('runtime-exports', slots, modelFacingJson);

/** `<runtime-activation>` with its payload, or null without an activation. */
export function activationBlock(activation: Activation | undefined): string | null {
  if (!activation) return null;
  const { source, detached, payload } = activation;
  const shown = modelFacingJson(payload ?? null, 'activation.payload');
  return block('runtime-activation', escapeXml(compactJson({ source, detached, payload: shown })));
}

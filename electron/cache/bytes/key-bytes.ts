/**
 * The key text of a request is what a provider hashes: tools, then system text, then messages, without cache
 * markers (cli-contract, "prefix, default measure"). Here it stays bytes: a part is a run of the recorded payload,
 * and what is known of an equal part of an earlier request is taken over.
 */
import type { TextSize } from '../../../shared/tokens.ts';
import { chars } from '../../../shared/units.ts';
import type { JsonPointer } from '../../../shared/model/index.ts';
import { KERNEL_ORDER, keyOrderOf, protocolOf, type KeyField, type KeyKind } from '../key-order.ts';
import { withoutBreaks, type Form, type Run } from './canonical.ts';
import { cutField, cutItem, isKernelSystem, type Cut, type PartKind } from './cut.ts';
import { asBuffer, decodeString, entryOf } from './json-bytes.ts';
import { isSameField, twinsOf } from './twins.ts';
import { fieldAt, fieldsOf, type Field, type Fields, type FieldsId, type Origin } from './layout.ts';
import type { PartBlocks } from './part-blocks.ts';
import { chosenRequest, type CallScan, type PayloadScan } from './payload.ts';

export type { PartKind } from './cut.ts';
export { sharedPrefix, type SharedBytes } from './shared-prefix.ts';

export type BytePart = Run & {
  readonly kind: PartKind;
  readonly form: Form;
  /** Position among the parts of its kind, from 1. */
  readonly number: number;
  /** Pointer of the field it comes from, and its index there; -1: it is the field. */
  readonly base: JsonPointer;
  readonly index: number;
  /** A declaration: index of the tool list that holds it (`index` is its place in that list). */
  readonly list: number | null;
  readonly size: TextSize;
  /** What was found out about the part; one object for all parts that were lent from one another. */
  readonly facts: PartFacts;
};

/** `blocks`: how the part is cut into blocks, once somebody has asked. */
export type PartFacts = { blocks: PartBlocks | null };

/** The parts that one field gave: those of item k are `parts[firsts[k]]` up to `parts[firsts[k + 1]]`. */
type FieldParts = { readonly field: Field; readonly kind: KeyKind; readonly firsts: readonly number[] };

export type CallKey = {
  /** Recorded or told by the body's fields; null for the kernel view. */
  readonly protocol: string | null;
  readonly parts: readonly BytePart[];
  readonly size: TextSize;
  readonly bytes: Buffer;
  readonly scan: CallScan;
  readonly fields: ReadonlyMap<string, FieldParts>;
  readonly id: FieldsId;
  /** How many parts at the beginning are known to be those of the key with this id. */
  readonly leading: { readonly of: FieldsId; readonly parts: number } | null;
};

/**
 * The key of a call's chosen body, or of its kernel view when no body was recorded. `like`: an earlier key whose
 * equal parts lend what is known of them; it never changes the result. The key refers to `bytes`, which must stay
 * as they are. null: the payload has neither body nor kernel view, or a part is malformed.
 */
export function callKey(bytes: Uint8Array, scan: PayloadScan, like?: CallKey): CallKey | null {
  if (scan.kind !== 'call') return null;
  const buffer = asBuffer(bytes);
  const request = chosenRequest(scan);
  if (request?.body) {
    const fields = fieldsOf(buffer, request.body);
    return fields && wireKey(buffer, scan, request.protocol, { fields, origin: newOrigin() }, like);
  }
  return kernelKey(buffer, scan, undefined, like);
}

type Walked = { readonly fields: Fields; readonly origin: Origin };

const newOrigin = (): Origin => ({ id: { kept: null }, guide: null });

export function wireKey(
  bytes: Buffer,
  scan: CallScan,
  recorded: string | null,
  body: Walked,
  like?: CallKey,
): CallKey | null {
  const protocol = protocolOf(recorded, (field) => body.fields.has(field));
  return buildKey(bytes, scan, protocol, keyOrderOf(protocol), body, like);
}

/** `known`: the payload's fields where they were walked already. */
export function kernelKey(bytes: Buffer, scan: CallScan, known?: Walked, like?: CallKey): CallKey | null {
  const fields = new Map<string, Field>();
  for (const name of ['tools', 'messages'] as const) {
    const range = scan[name];
    const field = range && (known?.fields.get(name) ?? fieldAt(bytes, range));
    if (field) fields.set(name, field);
  }
  if (fields.size === 0) return null;
  return buildKey(bytes, scan, null, KERNEL_ORDER, { fields, origin: known?.origin ?? newOrigin() }, like);
}

/** `tool 2 (roll-dice)`, `system block 1`, `message 7 (user)`; a name or role that is not a text is `?`. */
export function labelOf(part: BytePart): string {
  if (part.kind === 'system') return `system block ${part.number}`;
  const name = part.kind === 'tool' ? nameOfTool(part) : (stringAt(part, 'role') ?? stringAt(part, 'type'));
  return `${part.kind} ${part.number} (${name ?? '?'})`;
}

export function pathOf({ base, index, list }: BytePart): JsonPointer {
  if (index < 0) return base;
  return list === null ? `${base}/${index}` : `${base}/${list}/functionDeclarations/${index}`;
}

function nameOfTool(part: BytePart): string | null {
  const inner = entryOf(part.source, part, 'function');
  return stringAt(part, 'name') ?? (inner && stringAt({ ...inner, source: part.source }, 'name'));
}

function stringAt(run: Run, key: string): string | null {
  const range = entryOf(run.source, run, key);
  return range && decodeString(run.source, range);
}

/** The key whose parts may be taken over. `isGuide`: the twins of the fields are items of this key's fields. */
type Lender = { readonly key: CallKey; readonly isGuide: boolean };

type Draft = {
  readonly bytes: Buffer;
  readonly isKernel: boolean;
  readonly parts: BytePart[];
  readonly counts: Record<PartKind, number>;
  readonly lender: Lender | null;
  /** Parts at the beginning that are the lender's. */
  leading: number;
};

function buildKey(
  bytes: Buffer,
  scan: CallScan,
  protocol: string | null,
  order: readonly KeyField[],
  { fields, origin }: Walked,
  like: CallKey | undefined,
): CallKey | null {
  const lender = like && like.protocol === protocol ? { key: like, isGuide: origin.guide === like.id } : null;
  const counts = { tool: 0, system: 0, message: 0 };
  const draft: Draft = { bytes, isKernel: protocol === null, parts: [], counts, lender, leading: 0 };
  const byField = new Map<string, FieldParts>();
  for (const { field: name, kind } of order) {
    const field = fields.get(name);
    if (!field) continue;
    const firsts = addField(draft, `/${name}`, kind, field, lender?.key.fields.get(name));
    if (!firsts) return null;
    byField.set(name, { field, kind, firsts });
  }
  const leading = lender && { of: lender.key.id, parts: draft.leading };
  return {
    protocol,
    parts: draft.parts,
    size: sizeOfParts(draft.parts),
    bytes,
    scan,
    fields: byField,
    id: origin.id,
    leading,
  };
}

/** Size of the parts up to `count`. */
export function sizeOfParts(parts: readonly BytePart[], count = parts.length): TextSize {
  let units = 0;
  let cjk = 0;
  for (let k = 0; k < count; k++) {
    const { size } = parts[k] as BytePart;
    units += size.chars;
    cjk += size.cjk;
  }
  return { chars: chars(units), cjk: chars(cjk) };
}

/** Adds the parts of one field and answers which part each item begins with; null when one is malformed. */
function addField(
  draft: Draft,
  base: JsonPointer,
  kind: KeyKind,
  field: Field,
  known: FieldParts | undefined,
): number[] | null {
  const firsts = [draft.parts.length];
  const { bounds } = field;
  const { lender } = draft;
  if (!bounds) {
    if (lender && known && isEqualValue(draft.bytes, field, lender, known.field)) {
      lend(draft, lender.key, known, 0, field.start - known.field.start, null);
    } else if (!addCuts(draft, cutField(draft.bytes, base, kind, field))) return null;
    firsts.push(draft.parts.length);
    return firsts;
  }
  const knownBounds = known?.field.bounds;
  const twins = lender && knownBounds ? twinsIn(draft.bytes, field, bounds, lender, knownBounds) : [];
  let isLeading = kind === 'kernel-messages';
  for (let k = 0; 2 * k < bounds.length; k++) {
    const start = bounds[2 * k] as number;
    const item = { start, end: bounds[2 * k + 1] as number };
    if (isLeading) isLeading = isKernelSystem(draft.bytes, item);
    const twin = twins[k] ?? -1;
    if (lender && known && knownBounds && twin >= 0 && isCutAlike(lender.key, known, twin, kind, isLeading)) {
      lend(draft, lender.key, known, twin, start - (knownBounds[2 * twin] as number), k);
    } else if (!addCuts(draft, cutItem(draft.bytes, base, k, kind, item, isLeading))) return null;
    firsts.push(draft.parts.length);
  }
  return firsts;
}

function isEqualValue(bytes: Buffer, field: Field, { key, isGuide }: Lender, known: Field): boolean {
  if (known.bounds) return false;
  return isGuide ? field.isTwin : isSameField(bytes, field, key.bytes, known);
}

function twinsIn(
  bytes: Buffer,
  field: Field,
  bounds: readonly number[],
  { key, isGuide }: Lender,
  knownBounds: readonly number[],
): readonly number[] {
  return isGuide && field.twins ? field.twins : twinsOf(bytes, bounds, key.bytes, knownBounds);
}

/** A kernel message is cut differently while it belongs to the leading system text. */
function isCutAlike(like: CallKey, known: FieldParts, twin: number, kind: KeyKind, isLeading: boolean): boolean {
  if (kind !== 'kernel-messages') return true;
  return (like.parts[known.firsts[twin] as number]?.kind === 'system') === isLeading;
}

/** Takes over the parts of an equal item, which stands `shift` bytes later here and is item `index` of its array. */
function lend(draft: Draft, like: CallKey, known: FieldParts, item: number, shift: number, index: number | null): void {
  const to = known.firsts[item + 1] as number;
  for (let k = known.firsts[item] as number; k < to; k++) {
    if (draft.leading === k && draft.parts.length === k) draft.leading++;
    const part = like.parts[k] as BytePart;
    const isOwnCopy = part.source !== like.bytes;
    const isInList = part.list !== null;
    draft.parts.push({
      source: isOwnCopy ? part.source : draft.bytes,
      start: isOwnCopy ? part.start : part.start + shift,
      end: isOwnCopy ? part.end : part.end + shift,
      kind: part.kind,
      form: part.form,
      number: nextNumber(draft, part.kind, index ?? part.index),
      base: part.base,
      index: index !== null && !isInList ? index : part.index,
      list: isInList ? index : null,
      size: part.size,
      facts: part.facts,
    });
  }
}

function addCuts(draft: Draft, cuts: readonly Cut[] | null): boolean {
  if (cuts === null) return false;
  for (const { run, kind, form, base, index, list } of cuts) {
    const { source, start, end, size } = draft.isKernel ? withoutBreaks(run, form) : run;
    const number = nextNumber(draft, kind, index);
    draft.parts.push({
      source,
      start,
      end,
      kind,
      form,
      number,
      base,
      index,
      list,
      size,
      facts: { blocks: null },
    });
  }
  return true;
}

/** Messages are numbered by their place in the list, so that the number says where to look; the others are counted. */
function nextNumber(draft: Draft, kind: PartKind, index: number): number {
  if (kind === 'message') draft.counts.message = Math.max(draft.counts.message, index);
  return ++draft.counts[kind];
}

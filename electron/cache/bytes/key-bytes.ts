/**
 * The key text of a request is what a provider hashes: tools, then system text, then messages, without cache
 * markers (cli-contract, "prefix, default measure"). Here it stays bytes: a part is a run of the recorded payload,
 * and what is known of an equal part of an earlier request is taken over.
 */
import { NO_TEXT, addSizes, type TextSize } from '../../../shared/tokens.ts';
import type { JsonPointer } from '../../../shared/model/index.ts';
import { KERNEL_ORDER, keyOrderOf, protocolOf, type KeyField, type KeyKind } from '../key-order.ts';
import { measure, withoutBreaks, type Form, type Run } from './canonical.ts';
import { cutField, cutItem, isKernelSystem, type Cut, type PartKind } from './cut.ts';
import { asBuffer, decodeString, entryOf } from './json-bytes.ts';
import { isSameField, twinsOf } from './twins.ts';
import { fieldAt, fieldsOf, type Field, type Fields } from './layout.ts';
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
};

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
    return fields && wireKey(buffer, scan, request.protocol, fields, like);
  }
  return kernelKey(buffer, scan, undefined, like);
}

export function wireKey(
  bytes: Buffer,
  scan: CallScan,
  recorded: string | null,
  fields: Fields,
  like?: CallKey,
): CallKey | null {
  const protocol = protocolOf(recorded, (field) => fields.has(field));
  return buildKey(bytes, scan, protocol, keyOrderOf(protocol), fields, like);
}

/** `known`: the payload's fields where they were walked already. */
export function kernelKey(bytes: Buffer, scan: CallScan, known?: Fields, like?: CallKey): CallKey | null {
  const fields = new Map<string, Field>();
  for (const name of ['tools', 'messages'] as const) {
    const range = scan[name];
    const field = range && (known?.get(name) ?? fieldAt(bytes, range));
    if (field) fields.set(name, field);
  }
  return fields.size === 0 ? null : buildKey(bytes, scan, null, KERNEL_ORDER, fields, like);
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

type Draft = {
  readonly bytes: Buffer;
  readonly isKernel: boolean;
  readonly parts: BytePart[];
  readonly counts: Record<PartKind, number>;
};

function buildKey(
  bytes: Buffer,
  scan: CallScan,
  protocol: string | null,
  order: readonly KeyField[],
  fields: Fields,
  like: CallKey | undefined,
): CallKey | null {
  const lender = like?.protocol === protocol ? like : undefined;
  const draft: Draft = { bytes, isKernel: protocol === null, parts: [], counts: { tool: 0, system: 0, message: 0 } };
  const byField = new Map<string, FieldParts>();
  for (const { field: name, kind } of order) {
    const field = fields.get(name);
    if (!field) continue;
    const firsts = addField(draft, `/${name}`, kind, field, lender, lender?.fields.get(name));
    if (!firsts) return null;
    byField.set(name, { field, kind, firsts });
  }
  let size = NO_TEXT;
  for (const part of draft.parts) size = addSizes(size, part.size);
  return { protocol, parts: draft.parts, size, bytes, scan, fields: byField };
}

/** Adds the parts of one field and answers which part each item begins with; null when one is malformed. */
function addField(
  draft: Draft,
  base: JsonPointer,
  kind: KeyKind,
  field: Field,
  like: CallKey | undefined,
  known: FieldParts | undefined,
): number[] | null {
  const firsts = [draft.parts.length];
  const { bounds } = field;
  const knownBounds = known?.field.bounds;
  if (!bounds) {
    if (like && known && !knownBounds && isSameField(draft.bytes, field, like.bytes, known.field)) {
      lend(draft, like, known, 0, field.start - known.field.start, null);
    } else if (!addCuts(draft, cutField(draft.bytes, base, kind, field))) return null;
    firsts.push(draft.parts.length);
    return firsts;
  }
  const twins = like && knownBounds ? twinsOf(draft.bytes, bounds, like.bytes, knownBounds) : [];
  let isLeading = kind === 'kernel-messages';
  for (let k = 0; 2 * k < bounds.length; k++) {
    const item = { start: bounds[2 * k] as number, end: bounds[2 * k + 1] as number };
    if (isLeading) isLeading = isKernelSystem(draft.bytes, item);
    const twin = twins[k] ?? -1;
    if (like && known && knownBounds && twin >= 0 && isCutAlike(like, known, twin, kind, isLeading)) {
      lend(draft, like, known, twin, item.start - (knownBounds[2 * twin] as number), k);
    } else if (!addCuts(draft, cutItem(draft.bytes, base, k, kind, item, isLeading))) return null;
    firsts.push(draft.parts.length);
  }
  return firsts;
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
    });
  }
}

function addCuts(draft: Draft, cuts: readonly Cut[] | null): boolean {
  if (cuts === null) return false;
  for (const { run, kind, form, base, index, list } of cuts) {
    const { source, start, end } = draft.isKernel ? withoutBreaks(run) : run;
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
      size: measure({ source, start, end }, form),
    });
  }
  return true;
}

/** Messages are numbered by their place in the list, so that the number says where to look; the others are counted. */
function nextNumber(draft: Draft, kind: PartKind, index: number): number {
  if (kind === 'message') draft.counts.message = Math.max(draft.counts.message, index);
  return ++draft.counts[kind];
}

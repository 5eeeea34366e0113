/**
 * An explicit mark ends a cacheable prefix at the object that carries it. Providers that cache by themselves look
 * at the whole request, so their one breakpoint stands at its end (cache-rules page, 3.1 to 3.3).
 */
import type { Breakpoint, CacheMark, KeyText, Protocol, SegmentId } from '../../shared/model/index.ts';
import { addSizes, NO_TEXT, prefixTokens, sizeOf, type TextSize } from '../../shared/tokens.ts';
import { estimated, type Measured } from '../../shared/units.ts';
import { keyText } from './key-text.ts';
import { endOf } from './locate.ts';
import { defaultTtl, minimumOf, rulesFor, type CacheRule, type CacheRules } from './rules.ts';
import type { CallSide } from './types.ts';

/** The lifetime of a mark that names none. */
const PLAIN_MARK_TTL = '5m';

/** Without a rule for the model the protocol tells: Anthropic's caches only what is marked. */
const ONLY_MARKED: readonly Protocol[] = ['anthropic-messages-v1'];

/** Breakpoints of a request in cache key order; none for the kernel view, which is no request. */
export function breakpointsOf(side: CallSide, rules: CacheRules): readonly Breakpoint[] {
  if (side.protocol === null) return [];
  const key = keyText(side.protocol, side.body);
  const matching = rulesFor(rules, side.model, side.protocol);
  const marked = matching.find((rule) => rule.mechanism.includes('explicit'));
  const implicit = matching.find((rule) => rule.mechanism.includes('implicit'));
  const explicit = side.prompt.marks
    .flatMap((mark) => explicitBreakpoint(side, key, mark, marked ?? implicit))
    .sort((x, y) => x.order - y.order)
    .map((entry) => entry.breakpoint);
  // Where marks and the provider's own cache exclude each other, they are two rules; one rule with both has both.
  const replaced = explicit.length > 0 && marked !== undefined && marked !== implicit;
  const byItself = implicit !== undefined || (matching.length === 0 && !ONLY_MARKED.includes(side.protocol));
  return byItself && !replaced ? [...explicit, implicitBreakpoint(side, key, implicit)] : explicit;
}

function explicitBreakpoint(
  side: CallSide,
  key: KeyText,
  mark: CacheMark,
  rule: CacheRule | undefined,
): readonly { readonly order: number; readonly breakpoint: Breakpoint }[] {
  const whole = mark.path === '';
  const index = whole ? key.parts.length - 1 : key.parts.findIndex((part) => isWithin(mark.path, part.path));
  const part = key.parts[index];
  if (!part) return [];
  const end = whole ? part.text.length : (endOf(part, side.body, mark.path) ?? part.text.length);
  const size = addSizes(sizeBefore(key, index), sizeOf(part.text.slice(0, end)));
  return [
    {
      order: size.chars,
      breakpoint: {
        kind: 'explicit',
        path: mark.path,
        ttl: mark.ttl ?? PLAIN_MARK_TTL,
        afterSegment: whole ? lastSegment(side) : segmentBefore(side, key, index, mark.path),
        ...measured(size, side, rule),
      },
    },
  ];
}

function implicitBreakpoint(side: CallSide, key: KeyText, rule: CacheRule | undefined): Breakpoint {
  return {
    kind: 'implicit',
    path: key.parts[key.parts.length - 1]?.path ?? '',
    ttl: defaultTtl(rule),
    afterSegment: lastSegment(side),
    ...measured(sizeBefore(key, key.parts.length), side, rule),
  };
}

function measured(
  size: TextSize,
  side: CallSide,
  rule: CacheRule | undefined,
): { readonly prefixTokens: Measured; readonly belowMinimum: boolean | null } {
  const minimum = minimumOf(rule, side.model);
  const value = prefixTokens(size);
  return { prefixTokens: estimated(value), belowMinimum: minimum === null ? null : value < minimum };
}

const sizeBefore = (key: KeyText, index: number): TextSize =>
  key.parts.slice(0, index).reduce((sum, part) => addSizes(sum, sizeOf(part.text)), NO_TEXT);

const isWithin = (path: string, whole: string): boolean => path === whole || path.startsWith(`${whole}/`);

/** A response schema stands outside the key text. */
const lastSegment = (side: CallSide): SegmentId | null =>
  side.segments.findLast((segment) => segment.kind !== 'response-format')?.id ?? side.segments.at(-1)?.id ?? null;

/** The last segment with a text inside the marked object, else the last one of the parts before it. */
function segmentBefore(side: CallSide, key: KeyText, index: number, path: string): SegmentId | null {
  const inside = side.segments.findLast((segment) => segment.texts.some((text) => isWithin(text.path, path)));
  if (inside) return inside.id;
  const earlier = key.parts.slice(0, index).map((part) => part.path);
  const before = side.segments.findLast((segment) =>
    segment.texts.some((text) => earlier.some((whole) => isWithin(text.path, whole))),
  );
  return before?.id ?? null;
}

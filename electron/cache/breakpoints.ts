/**
 * An explicit mark ends a cacheable prefix at the object that carries it. Providers that cache by themselves look
 * at the whole request, so their one breakpoint stands at its end (cache-rules page, 3.1 to 3.3).
 */
import type { Breakpoint, CacheMark, KeyText, Protocol, SegmentId } from '../../shared/model/index.ts';
import { addSizes, NO_TEXT, prefixTokens, sizeOf, type TextSize } from '../../shared/tokens.ts';
import { estimated } from '../../shared/units.ts';
import { keyOf } from './key-text.ts';
import { endOf } from './locate.ts';
import { cacheRuleFor, lifetimeOf, minimumOf, type CacheRule, type CacheRules } from './rules.ts';
import type { CallSide } from './types.ts';

/** Without a rule for the model the protocol tells: Anthropic's caches only what is marked, for five minutes. */
const ONLY_MARKED: readonly Protocol[] = ['anthropic-messages-v1'];
const PLAIN_MARK_TTL = '5m';

/** Breakpoints of a request in cache key order; none for the kernel view, which is no request. */
export function breakpointsOf(side: CallSide, rules: CacheRules): readonly Breakpoint[] {
  const { protocol, model, provider, prompt } = side;
  if (protocol === null) return [];
  const key = keyOf(side);
  const rule = cacheRuleFor(rules, { protocol, model, provider, hasMarks: prompt.marks.length > 0 });
  const explicit = prompt.marks
    .flatMap((mark) => explicitBreakpoint(side, key, mark, rule))
    .sort((x, y) => x.order - y.order)
    .map((entry) => entry.breakpoint);
  const byItself = rule ? rule.mechanism.includes('implicit') : !ONLY_MARKED.includes(protocol);
  return byItself ? [...explicit, implicitBreakpoint(side, key, rule)] : explicit;
}

/** The lifetime of a breakpoint that names none. */
function usualTtl({ protocol, model }: CallSide, rule: CacheRule | null): string | null {
  if (rule) return lifetimeOf(rule, null, protocol, model)?.id ?? null;
  return protocol !== null && ONLY_MARKED.includes(protocol) ? PLAIN_MARK_TTL : null;
}

function explicitBreakpoint(
  side: CallSide,
  key: KeyText,
  mark: CacheMark,
  rule: CacheRule | null,
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
        ttl: mark.ttl ?? usualTtl(side, rule),
        afterSegment: whole ? lastSegment(side) : segmentBefore(side, key, index, mark.path),
        ...measured(size, side, rule),
      },
    },
  ];
}

function implicitBreakpoint(side: CallSide, key: KeyText, rule: CacheRule | null): Breakpoint {
  return {
    kind: 'implicit',
    path: key.parts[key.parts.length - 1]?.path ?? '',
    ttl: usualTtl(side, rule),
    afterSegment: lastSegment(side),
    ...measured(sizeBefore(key, key.parts.length), side, rule),
  };
}

function measured(
  size: TextSize,
  side: CallSide,
  rule: CacheRule | null,
): Pick<Breakpoint, 'prefixTokens' | 'belowMinimum' | 'minimum'> {
  const minimum = minimumOf(rule, side.model);
  const value = prefixTokens(size);
  return { prefixTokens: estimated(value), belowMinimum: minimum === null ? null : value < minimum, minimum };
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

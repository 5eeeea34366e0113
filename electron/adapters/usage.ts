/**
 * A token is billed once: it was read from the cache, written to it, or neither. Whatever the provider's counters mean
 * (see usage-conventions.ts), they become three disjoint input buckets that add up to its whole input. A counter that
 * is missing stays unknown; counters that contradict each other are named, and what they leave open stays unknown too.
 */
import type { Json, ReportedUsage, Usage, UsageProblem } from '../../shared/model/index.ts';
import { USAGE_PROBLEMS } from '../../shared/model/index.ts';
import { tokens, type Tokens } from '../../shared/units.ts';
import { field, isObject } from './json.ts';
import { RECORDED_CONVENTION, type FieldPaths, type UsageConvention } from './usage-conventions.ts';

/** `value` null: not reported, or (with a problem) reported as something that is no count. */
type Count = { readonly value: number | null; readonly problem: UsageProblem | null };

const UNREPORTED: Count = { value: null, problem: null };
const wrong = (problem: UsageProblem): Count => ({ value: null, problem });

/** A counter: a safe integer from 0, or a string of digits that is one. */
function countOf(value: Json): Count {
  const n = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
  if (typeof n !== 'number' || !Number.isFinite(n)) return wrong('not-a-number');
  if (n < 0) return wrong('negative');
  if (!Number.isInteger(n)) return wrong('fractional');
  return Number.isSafeInteger(n) ? { value: n + 0, problem: null } : wrong('not-a-number');
}

function at(raw: Json, path: string): Json | undefined {
  let value: Json | undefined = raw;
  for (const key of path.split('.')) {
    if (value === undefined || value === null) return value;
    // A text where an object of counters should be is reported as such, not skipped.
    value = isObject(value) ? field(value, key) : false;
  }
  return value;
}

function count(raw: Json, paths: FieldPaths): Count {
  for (const path of paths) {
    const value = at(raw, path);
    if (value !== undefined && value !== null) return countOf(value);
  }
  return UNREPORTED;
}

/** Sum that stops at the largest safe integer. */
const sum = (...parts: readonly number[]): number =>
  Math.min(
    parts.reduce((all, part) => all + part, 0),
    Number.MAX_SAFE_INTEGER,
  );

const orNull = (n: number | null): Tokens | null => (n === null ? null : tokens(n));

/**
 * Usage as a provider reported it, in tokens. `raw` is its usage object (`usage`, `usageMetadata`). Buckets are disjoint;
 * where `uncached` is known, uncached + read + write is `input` (unreported ones count nothing, sums stop at
 * MAX_SAFE_INTEGER). null when nothing was reported. Source: assembler page, 8.8; cache rules page.
 */
export function normaliseUsage(raw: Json | undefined, convention: UsageConvention): ReportedUsage | null {
  if (!isObject(raw)) return null;
  const found = new Set<UsageProblem>();
  const get = (paths: FieldPaths): Count => {
    const counted = count(raw, paths);
    if (counted.problem) found.add(counted.problem);
    return counted;
  };
  const lifetimes = Object.entries(convention.writes).map(([ttl, paths]) => [ttl, get(paths)] as const);
  const written = writesOf(get(convention.write), lifetimes);
  if (written.differs) found.add('split-differs');
  const input = convention.convention === 'additive' ? additive : inclusive;
  const parts = input({
    whole: get(convention.convention === 'additive' ? convention.uncached : convention.total),
    read: get(convention.read),
    write: written.write,
    miss: get(convention.miss),
  });
  for (const problem of parts.problems) found.add(problem);
  const output = outputOf(raw, convention, parts.input, get);
  const reported = [parts.uncached, parts.read, written.write.value, output];
  if (reported.every((part) => part === null) && parts.input === null && found.size === 0) return null;
  return {
    usage: {
      uncached: orNull(parts.uncached),
      read: orNull(parts.read),
      write: orNull(written.write.value),
      output: orNull(output),
    },
    input: orNull(parts.input),
    writes: written.byLifetime,
    problems: USAGE_PROBLEMS.filter((problem) => found.has(problem)),
  };
}

type Written = {
  readonly write: Count;
  readonly byLifetime: Readonly<Record<string, Tokens>> | null;
  readonly differs: boolean;
};

/** Lifetimes are told apart only where they add up to the reported write. */
function writesOf(write: Count, lifetimes: readonly (readonly [string, Count])[]): Written {
  const known = lifetimes.flatMap(([ttl, { value }]) => (value === null ? [] : [[ttl, tokens(value)] as const]));
  if (known.length === 0) return { write, byLifetime: null, differs: false };
  const broken = lifetimes.some(([, { problem }]) => problem !== null);
  const all = sum(...known.map(([, n]) => n));
  if (write.value === null && write.problem === null && !broken) {
    return { write: { value: all, problem: null }, byLifetime: Object.fromEntries(known), differs: false };
  }
  if (broken || write.problem !== null) return { write, byLifetime: null, differs: false };
  const adds = write.value === all;
  return { write, byLifetime: adds ? Object.fromEntries(known) : null, differs: !adds };
}

type Given = { readonly whole: Count; readonly read: Count; readonly write: Count; readonly miss: Count };
type Parts = {
  readonly input: number | null;
  readonly uncached: number | null;
  readonly read: number | null;
  readonly problems: readonly UsageProblem[];
};

function additive({ whole, read, write }: Given): Parts {
  if (read.problem !== null || write.problem !== null || whole.value === null) {
    return { input: null, uncached: null, read: read.value, problems: [] };
  }
  const input = sum(whole.value, read.value ?? 0, write.value ?? 0);
  return { input, uncached: whole.value, read: read.value, problems: [] };
}

function inclusive({ whole, read, write, miss }: Given): Parts {
  const broken = read.problem !== null || write.problem !== null;
  const written = write.value ?? 0;
  const contradiction = (problem: UsageProblem): Parts => ({
    input: null,
    uncached: null,
    read: read.value,
    problems: [problem],
  });
  if (whole.value === null) {
    const known = miss.value !== null && read.value !== null && whole.problem === null && !broken;
    const input = known ? sum(miss.value, read.value, written) : null;
    return { input, uncached: known ? miss.value : null, read: read.value, problems: [] };
  }
  const total = whole.value;
  const fromMiss = read.value === null && miss.value !== null && !broken;
  const readValue = fromMiss ? total - miss.value - written : read.value;
  const cached = sum(readValue ?? 0, written);
  if (cached > total || (readValue ?? 0) < 0) return contradiction('over-total');
  if (miss.value !== null && !broken && readValue !== null && total - cached !== miss.value) {
    return contradiction('split-differs');
  }
  return { input: total, uncached: broken ? null : total - cached, read: readValue, problems: [] };
}

/** xAI counts reasoning beside the completion, OpenAI inside it; the provider's own grand total tells which. */
function outputOf(
  raw: Json,
  convention: UsageConvention,
  input: number | null,
  get: (paths: FieldPaths) => Count,
): number | null {
  const counts = convention.output.map(get);
  const values = counts.flatMap(({ value }) => value ?? []);
  if (values.length === 0 || counts.some(({ problem }) => problem !== null)) return null;
  const output = sum(...values);
  const all = count(raw, convention.all).value;
  const reasoning = count(raw, convention.reasoning).value;
  if (input === null || all === null || reasoning === null || input + output === all) return output;
  return input + output + reasoning === all ? output + reasoning : output;
}

/** As recorded, unchecked; null: not reported. */
export type RecordedUsage = {
  readonly inputTokens: Json;
  readonly outputTokens: Json;
  readonly cachedInputTokens: Json;
  readonly cacheWriteInputTokens: Json;
};

/**
 * Usage as Covel recorded it, with the cache counts inside the input (storage page, section 3, llm.responded). null when
 * nothing was reported, which an error's 0/0 counts as.
 */
export function recordedUsage(recorded: RecordedUsage | null, isError: boolean): ReportedUsage | null {
  if (!recorded || (isError && !recorded.inputTokens && !recorded.outputTokens)) return null;
  return normaliseUsage({ ...recorded }, RECORDED_CONVENTION);
}

/** The buckets of `recordedUsage` without what is wrong with them. */
export const usageBuckets = (recorded: RecordedUsage | null, isError: boolean): Usage | null =>
  recordedUsage(recorded, isError)?.usage ?? null;

/** The provider's whole input, or null where it is not known. */
export function billedInput(usage: Usage | null): number | null {
  if (usage?.uncached == null) return null;
  return sum(usage.uncached, usage.read ?? 0, usage.write ?? 0);
}

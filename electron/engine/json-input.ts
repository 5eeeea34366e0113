/** Input of a command as JSON: parsed once at the border, and refused with the name of the field that is wrong. */
import type { z } from 'zod';
import { fail, ok, type Result } from '../../shared/error.ts';
import { lensError } from './errors.ts';

/** `manifest.input.inject[0].as`, from the path of a fault. */
export const fieldName = (path: readonly PropertyKey[]): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${String(step)}`)).join('') ||
  'the input';

/** Error `bad-input`; `detail` as a sentence; `reason`: a code that has words of its own (`refused.<reason>`). */
export const refuse = (field: string, detail: string, reason?: string): Result<never> =>
  fail(lensError('bad-input', { field, detail: detail.replace(/\.$/, ''), ...(reason ? { reason } : {}) }));

/** A text as a value of the schema. Errors: `bad-input`, with the field. */
export function parseInput<T extends z.ZodType>(text: string, schema: T): Result<z.output<T>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return refuse('the input', thrown instanceof Error ? thrown.message : String(thrown));
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const { path, message } = deepest(parsed.error.issues[0] as Issue);
  return refuse(fieldName(path), message);
}

type Issue = z.core.$ZodIssue;
type Fault = { readonly path: readonly PropertyKey[]; readonly message: string };

/** The fault itself: of a choice between shapes, that of the shape which fits furthest. */
function deepest(issue: Issue, above: readonly PropertyKey[] = []): Fault {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return { path: [...path, ...issue.keys.slice(0, 1)], message: 'no such field' };
  const own: Fault = { path, message: issue.message };
  if (issue.code !== 'invalid_union') return own;
  return issue.errors
    .flatMap((option) => option.map((inner) => deepest(inner, path)))
    .reduce((best, one) => (one.path.length > best.path.length ? one : best), own);
}

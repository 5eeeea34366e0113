/**
 * One call can be several HTTP requests: a fallback to another provider, a retry after a status. The one that was
 * answered is what a person wants to see first; an entry that repeats an earlier body points at it.
 */
import type { WireDetail } from '../../../shared/api.ts';
import type { HttpAttempt } from '../../../shared/model/index.ts';

/** `kernel`: the engine's own view of the request. A number: an HTTP attempt by its place in the list. */
export type WireTab = number | 'kernel';

/** The transport failed, or the provider answered with an error. */
export const hasFailed = ({ failed, statusCode }: Pick<HttpAttempt, 'failed' | 'statusCode'>): boolean =>
  failed || (statusCode !== null && statusCode >= 400);

/** The last attempt that did not fail, else the last one, else the kernel view; null when nothing was recorded. */
export function firstTab({ attempts, kernel }: Pick<WireDetail, 'attempts' | 'kernel'>): WireTab | null {
  const answered = attempts.findLastIndex((attempt) => !hasFailed(attempt));
  if (answered >= 0) return answered;
  if (attempts.length > 0) return attempts.length - 1;
  return kernel === null ? null : 'kernel';
}

/** The tabs there are, in order. */
export const tabsOf = ({ attempts, kernel }: Pick<WireDetail, 'attempts' | 'kernel'>): readonly WireTab[] => [
  ...attempts.keys(),
  ...(kernel === null ? [] : (['kernel'] as const)),
];

/** The body that an attempt sent, looked up where it only repeats another; null when none was recorded. */
export function bodyOf(attempt: HttpAttempt, attempts: readonly HttpAttempt[]): string | null {
  const seen = new Set<number>();
  let at: HttpAttempt | undefined = attempt;
  while (at && at.body === null && at.sameBodyAs !== null && !seen.has(at.index)) {
    seen.add(at.index);
    const same: number = at.sameBodyAs;
    at = attempts.find((one) => one.index === same);
  }
  return at?.body ?? null;
}

/** Bodies longer than this are shown as they are, without line breaks, colours or folding. */
export const MOST_FORMATTED = 2_000_000;

export type ShownBody =
  | { readonly kind: 'json'; readonly text: string }
  /** Too long to format, or no JSON. */
  | { readonly kind: 'plain'; readonly text: string };

/** A body with line breaks where it is JSON of bearable length. */
export function shownBody(body: string): ShownBody {
  if (body.length > MOST_FORMATTED) return { kind: 'plain', text: body };
  try {
    return { kind: 'json', text: JSON.stringify(JSON.parse(body), null, 2) };
  } catch {
    return { kind: 'plain', text: body };
  }
}

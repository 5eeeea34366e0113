/**
 * The end of every adapter: the tree is written out, and each text of the body gets its segment. The texts of a body
 * are defined elsewhere (adapters/texts.ts), so that an adapter that forgets an owner is found out here.
 */
import type { JsonObject, JsonPointer, Protocol, SegmentId } from '../../../shared/model/index.ts';
import { bodyTexts } from '../texts.ts';
import { requestHeaders } from './headers.ts';
import { settle, type SettledBody, type SourceSpan } from './traced.ts';
import { requestUrl } from './url.ts';
import type { BuildRequest, BuildWarning, BuiltRequest } from './types.ts';

/**
 * Spans for every text of a body, in the order of its texts: its own runs, else its nearest owner. Throws for a text
 * that nobody claimed: an adapter's fault, never the caller's.
 */
export function sourceMap(protocol: Protocol, settled: SettledBody<unknown>): readonly SourceSpan[] {
  const body = settled.body as JsonObject;
  const runs = Map.groupBy(settled.spans, (span) => span.path);
  const owners = new Map(settled.owned.map(({ path, segment }) => [path, segment]));
  return bodyTexts(protocol, body).flatMap(({ path, start, end }): readonly SourceSpan[] => {
    const own = runs.get(path);
    if (own) return own;
    const segment = nearestOwner(owners, path);
    if (segment === undefined) throw new Error(`The text at ${path} has no segment.`);
    return [{ path, start, end, segment }];
  });
}

function nearestOwner(
  owners: ReadonlyMap<JsonPointer, SegmentId | null>,
  path: JsonPointer,
): SegmentId | null | undefined {
  for (let here = path; ; here = here.slice(0, here.lastIndexOf('/'))) {
    const found = owners.get(here);
    if (found !== undefined || here === '') return found;
  }
}

/** Body, address, headers and map of one request. `tree`: the body with its texts traced. Throws BuildError. */
export function finish(
  protocol: Protocol,
  request: Pick<BuildRequest, 'model' | 'options'>,
  tree: Readonly<Record<string, unknown>>,
  warnings: readonly BuildWarning[],
): BuiltRequest {
  const settled = settle(tree);
  const { baseUrl, stream } = request.options;
  return {
    protocol,
    url: requestUrl(protocol, { model: request.model, baseUrl, stream }),
    headers: requestHeaders(protocol),
    body: settled.body,
    map: sourceMap(protocol, settled),
    warnings,
  };
}

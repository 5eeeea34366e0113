/** Native blocks of an earlier reply mean something only to the endpoint and model that wrote them. */
import type { Json, Protocol } from '../../../shared/model/index.ts';
import { sameBaseUrl } from './url.ts';
import type { BuildMessage, BuildRequest } from './types.ts';

/** The blocks to send back as they came, or null where there are none or protocol, model or base URL are others. */
export function nativeBlocks(
  protocol: Protocol,
  { providerContinuation: reply }: BuildMessage,
  { model, options }: BuildRequest,
): readonly Json[] | null {
  if (reply === undefined || reply.blocks.length === 0 || reply.protocol !== protocol || reply.model !== model)
    return null;
  return sameBaseUrl(protocol, reply.baseUrl, options.baseUrl) ? reply.blocks : null;
}

/**
 * A context window is shared by what goes in and what comes out: the response reserve is taken off the window first and
 * is also sent as the request's largest output. Limits that leave no input are configuration errors (seed 1, section 5).
 */
import { AssemblyError, type ContextBudget } from '../types.ts';

const DEFAULT_RESERVE = 4000;
const DEFAULT_PROTECTED_TURNS = 1;
/** Window of a model about which nothing is known. */
const UNKNOWN_WINDOW = 262_144;
const DEFAULT_OUTPUT = 16_384;

/** A checked budget; all in tokens but the protected turns. */
export type BudgetOptions = {
  readonly maxInputTokens: number;
  readonly reservedForResponse: number;
  readonly protectLastUserTurns: number;
  /** What a request may hold: `maxInputTokens` − `reservedForResponse`. Equality fits. */
  readonly capTokens: number;
};

/** `Number.isSafeInteger` and not below `least`, or an AssemblyError 'configuration' that names the field. */
function wholeNumber(field: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new AssemblyError('configuration', field, `${field} must be a whole number of at least ${least}, not ${value}`);
}

/**
 * Checks a budget and fills its defaults (reserve 4000, one protected user turn). Throws AssemblyError 'configuration'
 * when the window is not a positive whole number, the reserve not a whole number below it, or the turns negative.
 */
export function resolveBudgetOptions(budget: ContextBudget): BudgetOptions {
  const maxInputTokens = wholeNumber('contextBudget.maxInputTokens', budget.maxInputTokens, 1);
  const reserve = 'contextBudget.reservedForResponse';
  const reservedForResponse = wholeNumber(reserve, budget.reservedForResponse ?? DEFAULT_RESERVE, 0);
  const turns = budget.protectLastUserTurns ?? DEFAULT_PROTECTED_TURNS;
  const protectLastUserTurns = wholeNumber('contextBudget.protectLastUserTurns', turns, 0);
  if (reservedForResponse >= maxInputTokens) {
    const message = `${reserve} (${reservedForResponse}) leaves no room in contextBudget.maxInputTokens (${maxInputTokens})`;
    throw new AssemblyError('configuration', reserve, message);
  }
  return { maxInputTokens, reservedForResponse, protectLastUserTurns, capTokens: maxInputTokens - reservedForResponse };
}

/**
 * User turns to protect in one request: the configured ones, of which the current turn is one, and the further user
 * messages that the current turn has (pictures, story cue, words put in on the way).
 */
export const protectedTurns = (configured: number | undefined, currentTurnUserMessages: number): number =>
  (configured ?? DEFAULT_PROTECTED_TURNS) + currentTurnUserMessages - 1;

/** What is known about a call's limits, in tokens; an absent field is unknown or not set. */
export type LimitSources = {
  /** Window of the model itself. */
  readonly modelWindow?: number | undefined;
  /** Window that the slot was given. */
  readonly configuredWindow?: number | undefined;
  /** Ceiling of the deployment: may lower a window, never raise it. */
  readonly windowCeiling?: number | undefined;
  /** Largest output that the user asked for. */
  readonly requestedOutput?: number | undefined;
  readonly configuredReserve?: number | undefined;
  /** Largest output that the model can give. */
  readonly modelOutput?: number | undefined;
};

export type TokenLimits = {
  readonly window: number;
  /** The response reserve, and the largest output that is sent with the request. */
  readonly maxOutput: number;
  /** `window` − `maxOutput`; at least 1. */
  readonly input: number;
};

/**
 * The limits of one call. Window: the model's, else the slot's, else 262,144, under the deployment's ceiling. Output:
 * what the user asked for, else the reserve (16,384) but at most half the window, under the model's own capacity.
 * Throws AssemblyError 'configuration' when a figure is not a positive whole number or no input is left.
 */
export function tokenLimits(sources: LimitSources): TokenLimits {
  for (const [field, value] of Object.entries(sources)) if (value !== undefined) wholeNumber(field, value, 1);
  const known = sources.modelWindow ?? sources.configuredWindow ?? UNKNOWN_WINDOW;
  const window = Math.min(known, sources.windowCeiling ?? Infinity);
  const wanted =
    sources.requestedOutput ?? Math.min(sources.configuredReserve ?? DEFAULT_OUTPUT, Math.floor(window / 2));
  const maxOutput = Math.min(wanted, sources.modelOutput ?? Infinity);
  if (maxOutput < 1 || maxOutput >= window) {
    const field = sources.requestedOutput === undefined ? 'configuredReserve' : 'requestedOutput';
    const message = `an output of ${maxOutput} tokens leaves no room for input in a window of ${window}`;
    throw new AssemblyError('configuration', maxOutput < 1 ? 'window' : field, message);
  }
  return { window, maxOutput, input: window - maxOutput };
}

/** The same limits as a budget for `applyBudget` and `requestBudget`. */
export const budgetOfLimits = (limits: TokenLimits, protectLastUserTurns: number): BudgetOptions =>
  resolveBudgetOptions({
    maxInputTokens: limits.window,
    reservedForResponse: limits.maxOutput,
    protectLastUserTurns,
  });

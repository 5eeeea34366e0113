/**
 * Generation parameters have one neutral name and range, and a wire name for each protocol (slots page, section 2.4;
 * assembler page, section 8.2). Out of range is a fault of the configuration; a field that the protocol lacks is not
 * sent.
 */
import type { Json, Protocol } from '../../../shared/model/index.ts';
import type { ModelTraits } from './families.ts';
import { BuildError, type ParameterOverrides } from './types.ts';
import type { Warn } from './warn.ts';

type Sampling = 'temperature' | 'topP' | 'topK' | 'frequencyPenalty' | 'presencePenalty';
export type NumericOverride = Sampling | 'maxOutputTokens';

type Range = { readonly low: number; readonly high: number; readonly whole: boolean };
const RANGES: Readonly<Record<NumericOverride, Range>> = {
  temperature: { low: 0, high: 2, whole: false },
  topP: { low: 0, high: 1, whole: false },
  topK: { low: 0, high: Number.MAX_SAFE_INTEGER, whole: true },
  maxOutputTokens: { low: 1, high: Number.MAX_SAFE_INTEGER, whole: true },
  frequencyPenalty: { low: -2, high: 2, whole: false },
  presencePenalty: { low: -2, high: 2, whole: false },
};
const NAMES = Object.keys(RANGES) as readonly NumericOverride[];

const WIRE: Readonly<Record<Protocol, Readonly<Partial<Record<Sampling, string>>>>> = {
  'openai-chat-v1': {
    temperature: 'temperature',
    topP: 'top_p',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
  },
  'openai-responses-v1': { temperature: 'temperature', topP: 'top_p' },
  'anthropic-messages-v1': { temperature: 'temperature', topP: 'top_p', topK: 'top_k' },
  'google-generative-ai-v1': {
    temperature: 'temperature',
    topP: 'topP',
    topK: 'topK',
    frequencyPenalty: 'frequencyPenalty',
    presencePenalty: 'presencePenalty',
  },
};

/** Throws BuildError on `<field>.<name>` (the bare name where `field` is empty) for a number out of its range. */
export function checkNumber(name: NumericOverride, value: number, field: string): number {
  const { low, high, whole } = RANGES[name];
  if (value >= low && value <= high && (!whole || Number.isSafeInteger(value))) return value;
  const range = high === Number.MAX_SAFE_INTEGER ? `from ${low} on` : `from ${low} to ${high}`;
  throw new BuildError(
    field === '' ? name : `${field}.${name}`,
    `${name} must be ${whole ? 'a whole number ' : ''}${range}.`,
  );
}

/**
 * Numbers of an untyped table of overrides; only numbers are taken. `field`: the table's name in errors. Throws
 * BuildError for a number out of range.
 */
export function readOverrides(
  table: Readonly<Record<string, Json | undefined>>,
  field: string,
  warn: Warn,
): ParameterOverrides {
  const found: Partial<Record<NumericOverride, number>> = {};
  for (const name of NAMES) {
    const value = Object.hasOwn(table, name) ? table[name] : undefined;
    if (typeof value === 'number') found[name] = checkNumber(name, value, field);
    else if (value != null) warn('override-type', `${field}.${name} is no number and is not sent.`);
  }
  return found;
}

/** Name of the output limit on the wire. */
export function outputLimitField(protocol: Protocol, traits: ModelTraits): string {
  switch (protocol) {
    case 'openai-chat-v1':
      return traits.completionTokens ? 'max_completion_tokens' : 'max_tokens';
    case 'openai-responses-v1':
      return 'max_output_tokens';
    case 'anthropic-messages-v1':
      return 'max_tokens';
    case 'google-generative-ai-v1':
      return 'maxOutputTokens';
  }
}

/** Sampling parameters under their wire names; what the protocol or the model does not take is left out and said. */
export function samplingFields(
  protocol: Protocol,
  overrides: ParameterOverrides,
  traits: ModelTraits,
  warn: Warn,
): Readonly<Record<string, number>> {
  const fields: Record<string, number> = {};
  for (const name of NAMES) {
    const value = overrides[name];
    if (name === 'maxOutputTokens' || value === undefined) continue;
    const wire = WIRE[protocol][name];
    const isPenalty = name === 'frequencyPenalty' || name === 'presencePenalty';
    if (wire === undefined) warn('unsupported-parameter', `${protocol} has no ${name}; it is not sent.`);
    else if (isPenalty && protocol === 'google-generative-ai-v1' && traits.refusesPenalties) {
      warn('unsupported-parameter', `This model takes no ${name}; it is not sent.`);
    } else fields[wire] = value;
  }
  return fields;
}

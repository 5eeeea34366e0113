/**
 * One model has several spellings: with a provider's prefix (`openai/gpt-5.6`, `models/gemini-2.5-pro`), with dots or
 * dashes in its version, and with the day of its snapshot (`-20250929`), which changes neither rules nor prices.
 */

/** A snapshot is eight digits; OpenAI's `2024-05-13` is another form, and there the day does change prices. */
const SNAPSHOT = /[-@]20\d{6}$/;

/**
 * The names under which a model is looked up, the surest first: as it is, without its outermost prefix, the part after
 * the last `/`, and these without the day of a snapshot. Lower case, each once.
 */
export function modelNames(model: string): readonly string[] {
  const whole = model.trim().toLowerCase();
  const paths = [whole, whole.slice(whole.indexOf('/') + 1), whole.slice(whole.lastIndexOf('/') + 1)];
  return [...new Set([...paths, ...paths.map((name) => name.replace(SNAPSHOT, ''))])].filter((name) => name !== '');
}

/** Dots and dashes in a version are one. */
export const dashed = (name: string): string => name.replaceAll('.', '-');

const patterns = new Map<string, RegExp>();
const patternOf = (source: string): RegExp => {
  const there = patterns.get(source);
  if (there) return there;
  const made = new RegExp(source, 'i');
  patterns.set(source, made);
  return made;
};

/** A session has a handful of models and thousands of calls. */
const answers = new Map<string, boolean>();
const MOST_ANSWERS = 20_000;

/** Whether a pattern of the rules file fits a model in any of its spellings. */
export function modelMatches(pattern: string, model: string): boolean {
  const question = `${pattern}\n${model}`;
  const there = answers.get(question);
  if (there !== undefined) return there;
  const regex = patternOf(pattern);
  const fits = modelNames(model).some((name) => regex.test(name) || regex.test(dashed(name)));
  if (answers.size >= MOST_ANSWERS) answers.clear();
  answers.set(question, fits);
  return fits;
}

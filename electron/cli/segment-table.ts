/** The table that every request is shown as: what it consists of, in order. */
import type { SegmentRow } from '../../shared/model/index.ts';
import { labelText, sentence } from '../../shared/language/index.ts';
import type { Io } from './io.ts';
import { layOut, lines, number, UNKNOWN } from './table.ts';
import { say } from './texts.ts';

/** Characters of a cell that holds text of the request. */
export const MAX_TEXT = 40;

/** The segments of a request, one a line. */
export function segmentTable(segments: readonly SegmentRow[], { language, paint }: Io): string {
  const t = say(language);
  return lines(
    layOut(
      [
        { head: t('segment') },
        { head: t('kind') },
        { head: t('role') },
        { head: t('origin'), max: MAX_TEXT },
        { head: t('volatility') },
        { head: t('chars'), align: 'right' },
        { head: t('estimatedTokens'), align: 'right' },
      ],
      segments.map(({ id, kind, role, origin, volatility, chars, tokens }) => [
        id,
        language === 'zh' ? sentence(language, { key: `kind.${kind}`, values: {} }) : kind,
        role,
        labelText(language, origin.label, kind),
        volatility ?? UNKNOWN,
        number(chars),
        number(tokens.value),
      ]),
      paint,
    ),
  );
}

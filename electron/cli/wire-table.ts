/** A request as it is sent, for people: where it goes, its headers, what was left out. */
import type { ConvertReport } from '../engine/convert.ts';
import { printable, type Io } from './io.ts';
import { say } from './texts.ts';

/** Lines about a request but for its segments. */
export function wireLines({ url, headers, body, warnings }: ConvertReport, { language, paint }: Io): readonly string[] {
  const t = say(language);
  const fields = Object.keys(body).join(', ');
  return [
    `POST ${printable(url)}`,
    ...Object.entries(headers).map(([name, value]) => paint('dim', printable(`${name}: ${value}`))),
    t('bodyFields', { fields: printable(fields), chars: JSON.stringify(body).length }),
    ...warnings.map((warning) => paint('yellow', printable(t('warning', { text: warning })))),
  ];
}

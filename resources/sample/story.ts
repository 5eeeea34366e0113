/** What a story must hold to become a session: the world, its people, and what was said and told each turn. */
export type Story = {
  readonly worldId: string;
  readonly sessionId: string;
  readonly title: string;
  readonly locale: 'zh-CN' | 'en-US';
  readonly player: string;
  readonly lore: string;
  /** Character notes of the roster: name, text. */
  readonly notes: readonly (readonly [name: string, text: string])[];
  /** A character who joins later and changes the notes. */
  readonly joined: readonly [name: string, text: string];
  readonly profiles: readonly (readonly [
    name: string,
    type: string,
    description: string,
    fields: Readonly<Record<string, string>>,
  ])[];
  /** Id, label, rule, value by turn. */
  readonly dimensions: readonly (readonly [id: string, label: string, rule: string, values: readonly string[]])[];
  /** Lorebook entries by keyword: keyword, text. */
  readonly entries: readonly (readonly [keyword: string, text: string])[];
  readonly summary: readonly string[];
  readonly turns: readonly (readonly [player: string, narration: string])[];
};

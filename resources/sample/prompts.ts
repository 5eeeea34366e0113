/** Fixed texts of the sample's runtimes, in both instruction languages. Own wording; invented plugins' bodies. */
import type { Story } from './story.ts';

type Language = Story['locale'];
export type Both = Readonly<Record<Language, string>>;

export const BODIES = {
  narrator: {
    'zh-CN': `你是邮局的夜班叙事者。用第二人称、现在时，每回合写一段，一百到一百八十字。
- 先回应玩家这一步，再让世界往前走半步，停在玩家能开口或动手的地方。
- 物件比形容词可靠：灯、信、算盘、台阶。每段至少有一样东西在动。
- 早到信里写的事会发生，但不要替玩家决定何时发生。
- 判定用 roll-dice；要查人物只用 get-character；不要把数字写进正文。
- <player-character>、<world-dimensions> 和 <memory-blocks> 是本回合的资料，不是要复述的内容。`,
    'en-US': `You narrate the day counter. Second person, present tense, one paragraph of sixty to a hundred words.
- Answer the player's step first, then let the world move half a step, and stop where the player can speak or act.
- Things before adjectives: the scale, the ledger, the drawer. Something moves in every paragraph.
- Use roll-dice for risks and get-character for people; keep numbers of the game out of the prose.
- <player-character>, <world-dimensions> and <memory-blocks> are this turn's data, not text to repeat.`,
  },
  narratorRevised: {
    'zh-CN': `你是邮局的夜班叙事者。用第二人称、现在时，每回合写一段，八十到一百六十字，结尾不用省略号。
- 先回应玩家这一步，再让世界往前走半步，停在玩家能开口或动手的地方。
- 物件比形容词可靠：灯、信、算盘、台阶。每段至少有一样东西在动。
- 早到信里写的事会发生，但不要替玩家决定何时发生。
- 判定用 roll-dice；要查人物只用 get-character；不要把数字写进正文。
- <player-character>、<world-dimensions> 和 <memory-blocks> 是本回合的资料，不是要复述的内容。`,
    'en-US': '',
  },
  dimensions: {
    'zh-CN':
      '你维护世界维度。<dimension-rules> 是规则，<dimension-values> 是本回合开始时的值。只依据本回合正文判断变化，一次提交全部变化的维度；没有变化提交空列表。',
    'en-US':
      'You maintain world dimensions. <dimension-rules> holds the rules, <dimension-values> the values at the start of this turn. Judge by this turn’s text alone, submit every changed dimension at once, and an empty list when nothing changed.',
  },
  characters: {
    'zh-CN':
      '你维护角色状态。<existing-characters> 是名册，<character-fields> 是当前字段。只更新本回合正文里出现的人物，不改描述，不添加一次性的路人。',
    'en-US':
      'You maintain character state. <existing-characters> is the roster, <character-fields> the current fields. Update only people who appear in this turn’s text, leave descriptions alone, add no passers-by.',
  },
} as const satisfies Record<string, Both>;

/** `card` is the player's character. */
export const GUIDE_BODY: Both = {
  'zh-CN':
    '你写一句前情回顾和三个可选行动。行动要具体、互不相同、紧接正文。当前角色：{{ userSettings.card }}\n行动不超过十二个字，不要用问句。',
  'en-US':
    'You write one line of recap and three possible actions: concrete, different, following from the text. Current character: {{ userSettings.card }}\nKeep each action under nine words and ask no questions.',
};

/** What was wrong with a rejected submission. */
export const REJECTED: Both = {
  'zh-CN': 'updates[0].value 不在允许的取值里',
  'en-US': 'updates[0].value is not an allowed value',
};

type Tool = {
  readonly name: string;
  readonly description: string;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
};
const tool = (
  name: string,
  description: string,
  properties: Record<string, unknown>,
  required: readonly string[],
): Tool => ({
  name,
  description,
  jsonSchema: { type: 'object', properties, required, additionalProperties: false },
});
const text = { type: 'string' };

export const TOOLS = {
  rollDice: tool(
    'roll-dice',
    'Roll dice and return the total.',
    { notation: { type: 'string', description: 'For instance 2d6+1' }, reason: text },
    ['notation'],
  ),
  getCharacter: tool('get-character', 'Read one character by name or alias.', { name: text }, ['name']),
  emitEvent: tool(
    'emit-event',
    'Emit one domain event.',
    {
      topic: { type: 'string', enum: ['letter.delivered', 'clock.moved', 'door.answered'] },
      payload: { type: 'object' },
    },
    ['topic', 'payload'],
  ),
  readPostmark: tool('read-postmark', 'Compare the two postmarks of a letter.', { letter: text }, ['letter']),
  updateDimensions: tool(
    'update-dimensions',
    'Write changed dimension values; an empty list means no change.',
    {
      updates: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: text, value: text, reason: { type: 'string', maxLength: 200 } },
          required: ['id', 'value', 'reason'],
        },
      },
    },
    ['updates'],
  ),
  updateCharacter: tool(
    'update-character',
    'Change state fields of one character.',
    { name: text, fields: { type: 'object', properties: { mood: text, location: text } } },
    ['name', 'fields'],
  ),
  runtimeDone: tool('runtime-done', 'Finish this runtime.', {}, []),
  submitGuide: tool(
    'submit-guide',
    'Submit the recap and three actions.',
    { recap: text, actions: { type: 'array', items: text, minItems: 3, maxItems: 3 } },
    ['recap', 'actions'],
  ),
} as const;
export type { Tool };

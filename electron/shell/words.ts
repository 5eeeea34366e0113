/** The few words that the shell itself shows: the menu and the system's dialogs. The window has its own dictionary. */
export const LANGUAGES = ['en', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

const en = {
  file: 'File',
  open: 'Open…',
  openSample: 'Open sample session',
  edit: 'Edit',
  view: 'View',
  go: 'Go',
  help: 'Help',
  layout: 'Layout',
  diff: 'Prefix diff',
  context: 'Turn context',
  ledger: 'Ledger',
  wire: 'Wire',
  cache: 'Cache',
  palette: 'Commands…',
  search: 'Search',
  previousTurn: 'Previous turn',
  nextTurn: 'Next turn',
  previousCall: 'Previous call',
  nextCall: 'Next call',
  keys: 'Keys',
  openTitle: 'Open a session database',
  databases: 'Session databases',
  allFiles: 'All files',
  windowFailed: 'The window stopped working twice in a short time and was not opened again.',
} as const;

const zh: Record<keyof typeof en, string> = {
  file: '文件',
  open: '打开…',
  openSample: '打开示例会话',
  edit: '编辑',
  view: '视图',
  go: '转到',
  help: '帮助',
  layout: '布局',
  diff: '前缀对比',
  context: '回合上下文',
  ledger: '台账',
  wire: '线上报文',
  cache: '缓存',
  palette: '命令…',
  search: '搜索',
  previousTurn: '上一回合',
  nextTurn: '下一回合',
  previousCall: '上一次调用',
  nextCall: '下一次调用',
  keys: '按键',
  openTitle: '打开会话数据库',
  databases: '会话数据库',
  allFiles: '所有文件',
  windowFailed: '窗口在短时间内两次停止工作，未再重新打开。',
};

export type Word = keyof typeof en;
export const WORDS: Readonly<Record<Language, Readonly<Record<Word, string>>>> = { en, zh };

/** The language chosen in the settings, else the system's (`zh-TW`, `zh-Hans-CN` … are Chinese, all others English). */
export function shellLanguage(chosen: 'system' | Language, locale: string): Language {
  if (chosen !== 'system') return chosen;
  return /^zh\b/i.test(locale) ? 'zh' : 'en';
}

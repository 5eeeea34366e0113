/** Covel's built-in providers by the host of their address (slots page, section 2.7). */
const BY_HOST: Readonly<Record<string, string>> = {
  'api.openai.com': 'openai',
  'api.anthropic.com': 'anthropic',
  'generativelanguage.googleapis.com': 'google',
  'api.deepseek.com': 'deepseek',
  'dashscope.aliyuncs.com': 'dashscope',
  'api.x.ai': 'xai',
  'api.mistral.ai': 'mistral',
  'api.groq.com': 'groq',
  'api.together.xyz': 'together',
  'api.fireworks.ai': 'fireworks',
  'api.moonshot.cn': 'moonshot',
  'open.bigmodel.cn': 'zhipu',
  'api.siliconflow.cn': 'siliconflow',
  'ark.cn-beijing.volces.com': 'volcengine',
  'openrouter.ai': 'openrouter',
  'ai-gateway.vercel.sh': 'vercel',
};

/** The provider that an address belongs to; null for any other address. */
export function providerOf(baseUrl: string): string | null {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return Object.hasOwn(BY_HOST, host) ? (BY_HOST[host] ?? null) : null;
}

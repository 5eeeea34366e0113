/** Inputs of `convert`, and what must come out, written out by hand from the pages on bodies, addresses and families. */
import type { Json, JsonObject, Protocol } from '../../../shared/model/index.ts';

type Case = {
  readonly name: string;
  readonly protocol: Protocol;
  readonly input: JsonObject;
  readonly url: string;
  readonly body: JsonObject;
  readonly warnings?: readonly string[];
};

const S = '\ue000COVEL_CACHE_BREAK\ue000';
const MARK: Json = { type: 'ephemeral' };
const wrapped = (text: string): string => `<system-instruction>\n${text}\n</system-instruction>`;
const ROLL: JsonObject = {
  name: 'roll',
  description: 'Roll dice.',
  jsonSchema: { type: 'object', properties: { sides: { type: 'integer' } } },
};
const ROLL_SCHEMA = ROLL['jsonSchema'] as JsonObject;
const text = (words: string, cached = false): JsonObject => ({
  type: 'text',
  text: words,
  ...(cached ? { cache_control: MARK } : {}),
});

export const CONVERT_CASES: readonly Case[] = [
  {
    name: 'Anthropic: a narrator’s turn with all four marks',
    protocol: 'anthropic-messages-v1',
    input: {
      model: 'claude-haiku-4-5',
      systemPrompt: `[RUNTIME] r${S}\n\nYou narrate.${S}\n\nWorld.${S}`,
      messages: [
        { role: 'user', content: 'I open the gate.' },
        { role: 'assistant', content: 'It creaks.' },
        { role: 'system', content: '<runtime-inputs>tide</runtime-inputs>' },
        { role: 'user', content: 'I look in.' },
        { role: 'system', content: 'Rules.' },
      ],
      parameterOverrides: { temperature: 0.8, topP: 0.9 },
      options: { cacheStrategy: 'anthropic-explicit', stream: true },
    },
    url: 'https://api.anthropic.com/v1/messages',
    body: {
      model: 'claude-haiku-4-5',
      max_tokens: 16384,
      system: [text('[RUNTIME] r', true), text('\n\nYou narrate.'), text('\n\nWorld.', true)],
      messages: [
        { role: 'user', content: [text('I open the gate.')] },
        { role: 'assistant', content: [text('It creaks.', true)] },
        { role: 'user', content: [text(wrapped('<runtime-inputs>tide</runtime-inputs>'))] },
        { role: 'user', content: [text('I look in.')] },
        { role: 'user', content: [text(wrapped('Rules.'), true)] },
      ],
      stream: true,
      temperature: 0.8,
      top_p: 0.9,
    },
  },
  {
    name: 'Anthropic: no history, a tool loop with two results in one message, a forced tool under a model that refuses force',
    protocol: 'anthropic-messages-v1',
    input: {
      model: 'claude-opus-5.5',
      systemPrompt: `Body.${S}`,
      messages: [
        { role: 'system', content: 'Facts of this turn.' },
        { role: 'user', content: 'Settle it.' },
        {
          role: 'assistant',
          content: null,
          toolCalls: [
            { id: 'a', name: 'roll', arguments: '{"sides":6}' },
            { id: 'b', name: 'roll', arguments: '' },
          ],
        },
        { role: 'tool', toolCallId: 'a', content: '4' },
        { role: 'tool', toolCallId: 'b', content: '{"ok":false}' },
      ],
      tools: [ROLL],
      toolChoice: 'required',
      parameterOverrides: { temperature: 0.2, maxOutputTokens: 2000 },
      options: { cacheStrategy: 'anthropic-explicit', baseUrl: 'https://relay.example/anthropic' },
    },
    url: 'https://relay.example/anthropic/v1/messages',
    body: {
      model: 'claude-opus-5.5',
      max_tokens: 2000,
      system: [text('Body.', true), text('\n\nFacts of this turn.')],
      messages: [
        { role: 'user', content: [text('Settle it.')] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'roll', input: { sides: 6 } },
            { type: 'tool_use', id: 'b', name: 'roll', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', content: '4' },
            { type: 'tool_result', tool_use_id: 'b', content: '{"ok":false}', cache_control: MARK },
          ],
        },
      ],
      tools: [{ name: 'roll', description: 'Roll dice.', input_schema: ROLL_SCHEMA }],
      tool_choice: { type: 'auto' },
    },
    warnings: ['tool', 'temperature'],
  },
  {
    name: 'Chat: roles kept, a cache key for OpenAI’s own host, a reasoning model’s limit, a named tool',
    protocol: 'openai-chat-v1',
    input: {
      model: 'gpt-5.4-mini',
      systemPrompt: `[RUNTIME] r${S}\n\nBody.${S}`,
      messages: [
        { role: 'user', content: 'old' },
        { role: 'system', content: 'Turn.' },
        { role: 'user', content: 'now' },
      ],
      tools: [ROLL],
      toolChoice: { name: 'roll' },
      reasoning: false,
      maxOutputTokens: 4096,
      options: { sessionId: 'session-1', runtimeId: 'narrator' },
    },
    url: 'https://api.openai.com/v1/chat/completions',
    body: {
      model: 'gpt-5.4-mini',
      messages: [
        { role: 'system', content: '[RUNTIME] r\n\nBody.' },
        { role: 'user', content: 'old' },
        { role: 'system', content: 'Turn.' },
        { role: 'user', content: 'now' },
      ],
      // printf 'session-1\nnarrator' | sha256sum | cut -c 1-32
      prompt_cache_key: 'covel-46c30a9239fcb98439a484b1f79e353d',
      reasoning_effort: 'none',
      max_completion_tokens: 4096,
      tools: [{ type: 'function', function: { name: 'roll', description: 'Roll dice.', parameters: ROLL_SCHEMA } }],
      tool_choice: { type: 'function', function: { name: 'roll' } },
    },
  },
  {
    name: 'Chat: a relay that wants late system text as the user’s, with a schema and a picture',
    protocol: 'openai-chat-v1',
    input: {
      model: 'saga/large-5',
      systemPrompt: 'Body.',
      messages: [
        { role: 'assistant', content: 'Before.' },
        { role: 'system', content: 'Turn.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image', image: '/9j/4AAQ' },
          ],
        },
      ],
      responseFormat: { schema: { type: 'object' } },
      metadata: { providerOptions: { 'openai-chat-v1': { seed: 7, extraBody: { cache_slot: 2 } } } },
      options: { lateSystemAsUser: true, baseUrl: 'http://127.0.0.1:9009/' },
    },
    url: 'http://127.0.0.1:9009/v1/chat/completions',
    body: {
      model: 'saga/large-5',
      messages: [
        { role: 'system', content: 'Body.' },
        {
          role: 'system',
          content:
            'Reply with JSON only, conforming to this schema, without any further property.\n<response-format>{"type":"object"}</response-format>',
        },
        { role: 'assistant', content: 'Before.' },
        { role: 'user', content: wrapped('Turn.') },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/4AAQ' } },
          ],
        },
      ],
      response_format: { type: 'json_object' },
      seed: 7,
      cache_slot: 2,
    },
  },
  {
    name: 'Chat: DeepSeek thinks by default, so no tool can be chosen for it; reasoning goes back',
    protocol: 'openai-chat-v1',
    input: {
      model: 'deepseek-v4-flash',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          reasoningContent: 'hm',
          toolCalls: [{ id: 'a', name: 'roll', arguments: '{}' }],
        },
        { role: 'tool', toolCallId: 'a', content: '4' },
      ],
      tools: [{ name: 'roll' }],
      toolChoice: 'required',
      options: { baseUrl: 'https://api.deepseek.com', sessionId: 's', runtimeId: 'r' },
    },
    url: 'https://api.deepseek.com/v1/chat/completions',
    body: {
      model: 'deepseek-v4-flash',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'roll', arguments: '{}' } }],
        },
        { role: 'tool', content: '4', tool_call_id: 'a' },
      ],
      tools: [{ type: 'function', function: { name: 'roll' } }],
    },
    warnings: ['DeepSeek'],
  },
  {
    name: 'Chat: Qwen is told to think, so the forced tool is free',
    protocol: 'openai-chat-v1',
    input: {
      model: 'qwen3.6-plus',
      messages: [{ role: 'user', content: 'go' }],
      tools: [{ name: 'roll' }],
      toolChoice: { name: 'roll' },
      reasoning: false,
      parameterOverrides: { reasoningEffort: 'medium' },
      options: { baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
    },
    url: 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions',
    body: {
      model: 'qwen3.6-plus',
      messages: [{ role: 'user', content: 'go' }],
      enable_thinking: true,
      thinking_budget: 8192,
      tools: [{ type: 'function', function: { name: 'roll' } }],
      tool_choice: 'auto',
    },
    warnings: ['thinking'],
  },
  {
    name: 'Responses: no reasoning, a named tool, a schema of its own',
    protocol: 'openai-responses-v1',
    input: {
      model: 'gpt-5.4',
      systemPrompt: 'Body.',
      messages: [{ role: 'user', content: 'go' }],
      tools: [ROLL],
      toolChoice: { name: 'roll' },
      reasoning: false,
      responseFormat: { schema: { title: 'Turn facts', type: 'object' } },
      options: { promptCacheKey: false, sessionId: 's', runtimeId: 'r', stream: true },
    },
    url: 'https://api.openai.com/v1/responses',
    body: {
      model: 'gpt-5.4',
      store: false,
      reasoning: { effort: 'none' },
      input: [
        { role: 'system', content: 'Body.' },
        { role: 'user', content: 'go' },
      ],
      text: { format: { type: 'json_schema', name: 'Turn_facts', schema: { title: 'Turn facts', type: 'object' } } },
      tools: [{ type: 'function', name: 'roll', description: 'Roll dice.', parameters: ROLL_SCHEMA, strict: false }],
      tool_choice: { type: 'function', name: 'roll' },
      stream: true,
    },
  },
  {
    name: 'Responses: encrypted reasoning goes back as it came',
    protocol: 'openai-responses-v1',
    input: {
      model: 'gpt-5.4',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: 'Rolling.',
          toolCalls: [{ id: 'a', name: 'roll', arguments: '{}' }],
          providerContinuation: {
            protocol: 'openai-responses-v1',
            model: 'gpt-5.4',
            baseUrl: 'https://api.openai.com/v1/',
            blocks: [
              { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
              { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'roll', arguments: '{}' },
            ],
          },
        },
        { role: 'tool', toolCallId: 'a', content: '4' },
      ],
      parameterOverrides: { topK: 5, reasoningEffort: 'low' },
      metadata: { include: ['message.output_text.logprobs'] },
    },
    url: 'https://api.openai.com/v1/responses',
    body: {
      model: 'gpt-5.4',
      store: false,
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
      input: [
        { role: 'user', content: 'go' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
        { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'roll', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: '4' },
      ],
    },
    warnings: ['topK'],
  },
  {
    name: 'Gemini: system text between call and result waits for the result',
    protocol: 'google-generative-ai-v1',
    input: {
      model: 'gemini-2.5-flash',
      systemPrompt: `Body.${S}`,
      messages: [
        { role: 'developer', content: 'More.' },
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'roll', arguments: '{"sides":6}' }] },
        { role: 'system', content: 'Turn.' },
        { role: 'tool', toolCallId: 'a', content: '4' },
        { role: 'user', content: 'on' },
      ],
      tools: [ROLL],
      toolChoice: 'required',
      reasoning: false,
      parameterOverrides: { temperature: 1, presencePenalty: 0.5, maxOutputTokens: 900 },
      options: { stream: true },
    },
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ functionCall: { name: 'roll', args: { sides: 6 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'roll', response: { result: '4' } } }] },
        { role: 'user', parts: [{ text: wrapped('Turn.') }, { text: 'on' }] },
      ],
      systemInstruction: { parts: [{ text: 'Body.' }, { text: 'More.' }] },
      generationConfig: { maxOutputTokens: 900, temperature: 1, thinkingConfig: { thinkingBudget: 0 } },
      tools: [
        { functionDeclarations: [{ name: 'roll', description: 'Roll dice.', parametersJsonSchema: ROLL_SCHEMA }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    },
    warnings: ['presencePenalty'],
  },
  {
    name: 'Gemini: the older shape, with a schema whose constant becomes a choice',
    protocol: 'google-generative-ai-v1',
    input: {
      model: 'models/gemini-3-pro',
      systemPrompt: 'Body.',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
        { role: 'system', content: 'Turn.' },
        { role: 'user', content: [{ type: 'image', image: 'data:image/webp;base64,UklG' }] },
      ],
      responseFormat: { schema: { type: 'object', properties: { const: { const: 'x' } } } },
      options: { lateSystemAsUser: false },
    },
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'user', parts: [{ text: 'b' }] },
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/webp', data: 'UklG' } }] },
      ],
      systemInstruction: { parts: [{ text: 'Body.' }, { text: 'Turn.' }] },
      generationConfig: {
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object', properties: { const: { enum: ['x'] } } },
      },
    },
  },
];

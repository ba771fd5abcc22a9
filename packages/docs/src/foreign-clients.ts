/**
 * Third-party realtime clients that work unmodified, and the settings their users need. The
 * contract suite runs each of them.
 */
export const foreignClients = {
  'openai (npm)':
    '`new OpenAI({ baseURL: "https://HOST/v1", apiKey: KEY })`, then `new OpenAIRealtimeWS({ model: AGENT_ID }, client)`',
  '@openai/agents-realtime in Node':
    '`new RealtimeSession(agent, { transport: "websocket", model: AGENT_ID })`, then `session.connect({ apiKey: KEY, url: "wss://HOST/v1/realtime?model=AGENT_ID" })`',
  '@openai/agents-realtime in a browser': 'the same, with an `ek_…` secret as `apiKey`',
  'openai (PyPI)':
    '`AsyncOpenAI(base_url="https://HOST/v1", api_key=KEY)`, then `client.realtime.connect(model=AGENT_ID)`',
  'pydantic-ai':
    '`OpenAIRealtimeModel(AGENT_ID, provider=OpenAIProvider(base_url="https://HOST/v1", api_key=KEY))`, then `agent.realtime(model).session()`',
  'pipecat-ai':
    '`OpenAIRealtimeLLMService(base_url="wss://HOST/v1/realtime", api_key=KEY, settings=OpenAIRealtimeLLMService.Settings(model=AGENT_ID))`',
  'livekit-plugins-openai':
    '`openai.realtime.RealtimeModel(base_url="https://HOST/v1", api_key=KEY, model=AGENT_ID)` in `AgentSession(llm=…)`',
} as const;

export type ForeignClient = keyof typeof foreignClients;

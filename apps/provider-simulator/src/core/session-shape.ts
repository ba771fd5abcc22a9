// Everything that `session.update` and `response.create` may carry. A field that is not in these
// tables is refused with `unknown_parameter` and its path.
import {
  anything,
  arrayOf,
  boolean,
  either,
  integer,
  map,
  nullable,
  number,
  object,
  oneOf,
  string,
  variants,
} from './shape.js';

const literal = (value: string) => oneOf(value);

export const audioFormatShape = variants('type', {
  'audio/pcm': object({ type: literal('audio/pcm'), rate: oneOf(24000) }, 'type'),
  'audio/pcmu': object({ type: literal('audio/pcmu') }, 'type'),
  'audio/pcma': object({ type: literal('audio/pcma') }, 'type'),
});

const voice = either(string, object({ id: string }, 'id'));

const toolShape = variants('type', {
  function: object(
    { type: literal('function'), name: string, description: string, parameters: map },
    'name',
  ),
  mcp: object(
    {
      type: literal('mcp'),
      server_label: string,
      server_url: string,
      connector_id: string,
      tunnel_id: string,
      authorization: string,
      server_description: string,
      headers: nullable(map),
      allowed_tools: anything,
      allowed_callers: anything,
      require_approval: anything,
      defer_loading: boolean,
    },
    'server_label',
  ),
});

const toolChoice = either(
  oneOf('auto', 'none', 'required'),
  variants('type', {
    function: object({ type: literal('function'), name: string }, 'name'),
    mcp: object({ type: literal('mcp'), server_label: string, name: nullable(string) }),
  }),
);

const maxOutputTokens = either(integer(1, 4096), oneOf('inf'));

const turnDetection = variants('type', {
  server_vad: object({
    type: literal('server_vad'),
    threshold: number(0, 1),
    prefix_padding_ms: integer(0),
    silence_duration_ms: integer(0),
    idle_timeout_ms: nullable(integer(5000, 30000)),
    create_response: boolean,
    interrupt_response: boolean,
  }),
  semantic_vad: object({
    type: literal('semantic_vad'),
    eagerness: oneOf('low', 'medium', 'high', 'auto'),
    create_response: boolean,
    interrupt_response: boolean,
  }),
});

const transcription = object({
  model: string,
  language: nullable(string),
  prompt: nullable(string),
  languages: arrayOf(string),
  keywords: arrayOf(string),
  delay: string,
});

const common = {
  output_modalities: arrayOf(oneOf('text', 'audio')),
  instructions: string,
  tools: arrayOf(toolShape),
  tool_choice: toolChoice,
  max_output_tokens: maxOutputTokens,
  prompt: nullable(map),
  parallel_tool_calls: boolean,
  reasoning: nullable(map),
};

export const sessionShape = object(
  {
    ...common,
    type: literal('realtime'),
    model: string,
    truncation: anything,
    tracing: anything,
    include: nullable(arrayOf(string)),
    audio: object({
      input: object({
        format: audioFormatShape,
        transcription: nullable(transcription),
        noise_reduction: nullable(object({ type: oneOf('near_field', 'far_field') })),
        turn_detection: nullable(turnDetection),
      }),
      output: object({ format: audioFormatShape, voice, speed: number(0.25, 1.5) }),
    }),
  },
  'type',
);

export const responseShape = object({
  ...common,
  audio: object({ output: object({ format: audioFormatShape, voice }) }),
  conversation: oneOf('auto', 'none'),
  metadata: nullable(map),
  input: arrayOf(anything),
});

import { audioFormats } from '@parley/protocol';
import { ownId } from './own-ids.js';
import type { SessionSettings, ToolDeclaration } from './session.js';

/** The agent's settings as the provider takes them: sent once, before anything that the client sends. */
export function sessionUpdate(settings: SessionSettings): string {
  const { instructions, additionalInstructions } = settings;
  return JSON.stringify({
    type: 'session.update',
    event_id: ownId(settings.codeFor, 'session', 1),
    session: {
      type: 'realtime',
      model: settings.model,
      output_modalities: ['audio'],
      instructions: [instructions, additionalInstructions].filter(Boolean).join('\n\n'),
      audio: {
        input: {
          format: audioFormats[settings.inputAudioFormat],
          transcription: { model: settings.transcriptionModel },
          turn_detection: { type: 'semantic_vad' },
        },
        output: { format: audioFormats[settings.outputAudioFormat], voice: settings.voice },
      },
      tools: [...settings.backendTools, ...settings.clientTools].map(declaration),
      tool_choice: 'auto',
    },
  });
}

/** Field by field: the provider refuses a declaration that has any other key. */
function declaration({ name, description, parameters }: ToolDeclaration): object {
  return {
    type: 'function',
    name,
    description,
    parameters: parameters ?? { type: 'object', properties: {} },
  };
}

import type { Agent, AgentPatch } from '@parley/client/server';
import { changesOf } from '../../parts/changes.js';
import type { Json } from './json.js';

/**
 * The editor's state of an agent. Tools may be incomplete, so they are plain JSON until the API
 * accepts them.
 */
export type AgentDraft = Pick<
  Agent,
  | 'name'
  | 'description'
  | 'systemMessage'
  | 'connectionId'
  | 'fallbackConnectionIds'
  | 'model'
  | 'textModel'
  | 'voice'
  | 'turnDetection'
  | 'outputModalities'
  | 'icon'
  | 'iconColor'
  | 'imageUrl'
  | 'realtimeEnabled'
> & {
  readonly tools: readonly Json[];
  /** Values typed here; null removes one. Stored values are never known here. */
  readonly secrets: Readonly<Record<string, string | null>>;
};

export function draftOf(agent: Agent): AgentDraft {
  return {
    name: agent.name,
    description: agent.description,
    systemMessage: agent.systemMessage,
    connectionId: agent.connectionId,
    fallbackConnectionIds: agent.fallbackConnectionIds,
    model: agent.model,
    textModel: agent.textModel,
    voice: agent.voice,
    turnDetection: agent.turnDetection,
    outputModalities: agent.outputModalities,
    icon: agent.icon,
    iconColor: agent.iconColor,
    imageUrl: agent.imageUrl,
    realtimeEnabled: agent.realtimeEnabled,
    tools: agent.tools,
    secrets: {},
  };
}

/** Converts to the API's format. An empty model means the deployment's default. */
export function patchOf(base: AgentDraft, value: AgentDraft): AgentPatch {
  const changes = changesOf(base, value);
  return {
    ...changes,
    ...(changes.model === '' && { model: null }),
  } as AgentPatch;
}

/** The names of the parts that somebody else changed. */
export function changedParts(before: AgentDraft, after: AgentDraft): readonly string[] {
  const names = Object.keys(changesOf(before, after)) as (keyof AgentDraft)[];
  return names.map((name) => partNames[name]);
}

const partNames: Readonly<Record<keyof AgentDraft, string>> = {
  name: 'name',
  description: 'description',
  systemMessage: 'instructions',
  connectionId: 'connection',
  fallbackConnectionIds: 'fallbacks',
  model: 'model',
  textModel: 'text model',
  voice: 'voice',
  turnDetection: 'turn detection',
  outputModalities: 'answer mode',
  icon: 'icon',
  iconColor: 'icon colour',
  imageUrl: 'image',
  realtimeEnabled: 'realtime switch',
  tools: 'tools',
  secrets: 'secrets',
};

/** The names of the agent's secrets after saving the draft. */
export function secretNamesAfter(
  stored: readonly string[],
  secrets: AgentDraft['secrets'],
): readonly string[] {
  const names = new Set(stored);
  for (const [name, value] of Object.entries(secrets))
    if (value === null) names.delete(name);
    else names.add(name);
  return [...names].sort();
}

const charactersPerToken = 4;

/** An estimate: providers count differently. */
export function tokenEstimate(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

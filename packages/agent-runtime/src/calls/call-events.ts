import { customEvent, toolCallStatus, type Approver } from '@parley/protocol';
import type { ToolFace } from '../tools/tool.js';
import type { MadeCall } from './call.js';
import type { CallEnd } from './call-machine.js';

const noFace: ToolFace = { title: null, imageUrl: null, button: null };

export function startEvent(
  call: MadeCall,
  details: {
    agentId: string;
    arguments: unknown;
    tool: { approvalRequired: boolean; face: ToolFace } | undefined;
  },
): string {
  const { title, imageUrl } = details.tool?.face ?? noFace;
  return customEvent('response.function_invocation.start', {
    id: call.messageId,
    callId: call.callId,
    title,
    imageUrl,
    chatbotId: details.agentId,
    arguments: details.arguments,
    approvalRequired: details.tool?.approvalRequired ?? false,
    functionName: call.name,
  });
}

export function approvalEvent(
  { callId, messageId }: MadeCall,
  event: 'waiting' | 'approved' | 'expired',
  details: { approvers: readonly Approver[]; timeoutSeconds: number },
): string {
  const approval = { callId, messageId, approvers: [...details.approvers] };
  const { timeoutSeconds } = details;
  return event === 'waiting'
    ? customEvent('approval.waiting', { ...approval, timeoutSeconds })
    : customEvent(`approval.${event}`, approval);
}

/** A result's own label and link take precedence over the tool's. */
export function doneEvent(
  call: MadeCall,
  { outcome, result, executionMs }: CallEnd,
  { agentId, face = noFace }: { agentId: string; face: ToolFace | undefined },
): string {
  const buttonLabel = result.buttonLabel ?? face.button?.label ?? null;
  const buttonLink = result.buttonLink ?? face.button?.link ?? null;
  const whole = buttonLabel !== null && buttonLink !== null;
  return customEvent('response.function_invocation.done', {
    id: call.messageId,
    callId: call.callId,
    text: outcome.text,
    title: face.title,
    imageUrl: face.imageUrl,
    button: whole ? { label: buttonLabel, link: buttonLink } : null,
    buttonLabel,
    buttonLink,
    chatbotId: agentId,
    status: toolCallStatus[outcome.status],
    executionTimeSeconds: Math.round(executionMs) / 1000,
  });
}

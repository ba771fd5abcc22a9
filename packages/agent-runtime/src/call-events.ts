import { customEvent } from '@parley/protocol';
import type { OpenCall } from './call.js';
import type { ToolFace, ToolResult } from './tool.js';

const noFace: ToolFace = { title: null, imageUrl: null, button: null };

export function startEvent(
  call: OpenCall,
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

/** A result's own label and link come before the tool's. */
export function doneEvent(
  call: OpenCall,
  details: { agentId: string; result: ToolResult; text: string; face: ToolFace | undefined },
): string {
  const { result, face = noFace } = details;
  const buttonLabel = result.buttonLabel ?? face.button?.label ?? null;
  const buttonLink = result.buttonLink ?? face.button?.link ?? null;
  const whole = buttonLabel !== null && buttonLink !== null;
  return customEvent('response.function_invocation.done', {
    id: call.messageId,
    callId: call.callId,
    text: details.text,
    title: face.title,
    imageUrl: face.imageUrl,
    button: whole ? { label: buttonLabel, link: buttonLink } : null,
    buttonLabel,
    buttonLink,
    chatbotId: details.agentId,
    status: result.status,
    executionTimeSeconds: Math.round(call.executionMs) / 1000,
  });
}

import { EgressTimeout, type Egress, type EgressResponse } from '@parley/egress';
import type { Redact } from '@parley/protocol';
import { httpRequest, type HttpTool } from './http-request.js';
import { namedArguments } from './named-arguments.js';
import { bounded, resultOf } from './result-text.js';
import { describeFetchFailure } from './fetch-failure.js';
import { commonOf, ToolFailure, type BoundTool, type ToolResult } from './tool.js';

const maxBytes = 1024 * 1024;
const maxErrorLength = 4096;

export type HttpToolPorts = {
  readonly egress: Egress;
  readonly secrets: ReadonlyMap<string, string>;
  readonly redact: Redact;
};

/**
 * A tool that makes one HTTP request. Its secrets stay in the request: they are removed from the
 * response.
 */
export function bindHttpTool(
  tool: HttpTool,
  { egress, secrets, redact }: HttpToolPorts,
): BoundTool {
  const { name, description, parameters } = tool;
  const common = commonOf(tool);
  return {
    ...common,
    kind: 'http',
    declaration: { name, description, ...(parameters && { parameters }) },
    async run({ call, arguments: given, signal }) {
      const values = { arguments: namedArguments(given, parameters), secrets };
      try {
        const response = await egress.request({
          ...httpRequest(tool, values, call.id),
          signal,
          timeoutMs: common.timeoutMs,
          maxBytes,
        });
        return answerOf(response, redact);
      } catch (error) {
        if (signal.aborted || error instanceof EgressTimeout) throw error;
        throw new ToolFailure(redact(describeFetchFailure(error)));
      }
    },
  };
}

function answerOf(response: EgressResponse, redact: Redact): ToolResult {
  const { status, truncated } = response;
  const text = textOf(response);
  const body = redact(text ?? notText(response));
  if (status < 200 || status > 299) {
    const output = `The server answered with HTTP ${status}.${body === '' ? '' : `\n${bounded(body, maxErrorLength)}`}`;
    return { status: 'failed', output };
  }
  if (truncated) return { status: 'succeeded', output: `${bounded(body)}\n[truncated]` };
  return resultOf(body);
}

function textOf({ headers, body, truncated }: EgressResponse): string | undefined {
  const charset = /charset="?([\w-]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  try {
    // With `stream`, a character that is cut off at the end is not an error.
    return new TextDecoder(charset ?? 'utf-8', { fatal: true }).decode(body, { stream: truncated });
  } catch {
    return undefined;
  }
}

function notText({ headers, body }: EgressResponse): string {
  const type = headers.get('content-type')?.slice(0, 100) ?? 'of an unknown type';
  return `The answer is not text (${type}, ${body.length} bytes).`;
}

import { EgressRefused, failureCode } from '@parley/egress';
import { ToolFailure } from './tool.js';

/** Why a request failed, without addresses or host names. */
export function describeFetchFailure(error: unknown): string {
  if (error instanceof EgressRefused || error instanceof ToolFailure) return error.message;
  const status = statusOf(error);
  if (status !== undefined) return `The server answered with HTTP ${status}.`;
  const code = failureCode(error);
  return code === undefined
    ? 'The server was unreachable, or interrupted its response.'
    : `The server was unreachable, or interrupted its response (${code}).`;
}

/** The MCP SDK's errors have an HTTP status as their code. */
function statusOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' && code >= 100 && code <= 599 ? code : undefined;
}

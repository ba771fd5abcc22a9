import { EgressRefused } from '@parley/egress';
import { ToolFailure } from './tool.js';

/** Why a request failed, without addresses or host names. */
export function describeFetchFailure(error: unknown): string {
  if (error instanceof EgressRefused || error instanceof ToolFailure) return error.message;
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined);
  return code === undefined
    ? 'The server was unreachable, or interrupted its response.'
    : `The server was unreachable, or interrupted its response (${code}).`;
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : undefined;
}

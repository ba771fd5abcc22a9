import { reportStartupFailure, StartupError } from '@parley/service-kit';
import { checkSession, SessionCheckError } from './check-session.js';

/** Run by `helm test`: the image checks the deployment that it is part of. */
async function main(): Promise<void> {
  const { CHECK_API_URL, CHECK_REALTIME_URL, CHECK_ORG_ID, CHECK_API_KEY, CHECK_AGENT_ID } =
    process.env;
  if (!CHECK_API_URL || !CHECK_ORG_ID || !CHECK_API_KEY)
    throw new StartupError(
      'CHECK_API_URL, CHECK_ORG_ID and CHECK_API_KEY are required; CHECK_REALTIME_URL and CHECK_AGENT_ID are optional.',
    );
  const answer = await checkSession({
    apiUrl: CHECK_API_URL,
    realtimeUrl: CHECK_REALTIME_URL ?? CHECK_API_URL,
    organizationId: CHECK_ORG_ID,
    apiKey: CHECK_API_KEY,
    agentId: CHECK_AGENT_ID,
    timeoutMs: 60_000,
  });
  console.log(`The agent answered: ${answer}`);
}

main().catch((error: unknown) =>
  reportStartupFailure(
    error instanceof SessionCheckError ? new StartupError(`Check failed: ${error.message}`) : error,
  ),
);

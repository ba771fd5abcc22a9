import { findIssuableAgent, type IssuableAgent, type OrganizationScope } from '@parley/database';
import { isUuid, Problem } from '@parley/protocol';

/**
 * To OpenAI clients, a model is an agent of the organization, by its id. Another organization's is
 * treated as absent.
 */
export async function findModel(scope: OrganizationScope, model: string): Promise<IssuableAgent> {
  const agent = isUuid(model) ? await findIssuableAgent(scope, model.toLowerCase()) : undefined;
  if (agent) return agent;
  const detail = 'No such model: name an agent of your organization by its id.';
  throw new Problem('model-not-found', detail);
}

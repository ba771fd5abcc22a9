import { listAgents, type AgentRecord } from '@parley/database';
import { findModel } from '@parley/issuing';
import type { DoorCall, DoorPorts } from './door.js';

const batch = 200;

/** All agents at once: OpenAI's list of models has no pages. */
export async function listModels(
  { database }: DoorPorts,
  { caller, response }: DoorCall,
): Promise<void> {
  const agents = await database.inSnapshot(caller.organizationId, async (scope) => {
    const all: AgentRecord[] = [];
    for (let total = 1; all.length < total;) {
      const page = await listAgents(scope, { offset: all.length, limit: batch });
      all.push(...page.items);
      total = page.items.length === 0 ? 0 : page.total;
    }
    return all;
  });
  response.json({ object: 'list', data: agents.map(modelView) });
}

export async function getModel(
  { database }: DoorPorts,
  { caller, request, response }: DoorCall,
): Promise<void> {
  const { model } = request.params;
  const agent = await database.inOrganization(caller.organizationId, (scope) =>
    findModel(scope, String(model)),
  );
  response.json(modelView(agent));
}

function modelView({
  id,
  name,
  createdAt,
}: Pick<AgentRecord, 'id' | 'name' | 'createdAt'>): object {
  const created = Math.floor(createdAt.getTime() / 1000);
  return { id, object: 'model', created, owned_by: 'organization', name };
}

import { nameAgents, type AgentRecord } from '@parley/database';
import { findModel } from '@parley/issuing';
import type { DoorCall, DoorPorts } from './door.js';

/** All agents at once: OpenAI's list of models has no pages. */
export async function listModels(
  { database }: DoorPorts,
  { caller, response }: DoorCall,
): Promise<void> {
  const agents = await database.inOrganization(caller.organizationId, nameAgents);
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

import type { AgentFields } from '@parley/database';

/** An agent without special features. */
export const plainAgent: AgentFields = {
  name: 'A',
  description: '',
  systemMessage: '',
  connectionId: null,
  model: null,
  textModel: null,
  voice: 'alloy',
  icon: null,
  iconColor: null,
  imageUrl: null,
  realtimeEnabled: true,
  tools: [],
};

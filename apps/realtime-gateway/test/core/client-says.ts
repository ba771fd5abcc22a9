// Events as a client sends them.

export const output = (item: object) => ({
  type: 'conversation.item.create',
  item: { type: 'function_call_output', output: '{}', ...item },
});

export const decision = (ids: object) => ({ type: 'approval.reject', ...ids });

export const create = (response: object) => ({ type: 'response.create', response });

export const item = (fields: object, event: object = {}) => ({
  type: 'conversation.item.create',
  ...event,
  item: { type: 'message', role: 'user', content: [], ...fields },
});

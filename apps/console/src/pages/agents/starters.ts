import type { AgentInput } from '@parley/client/server';

/** A template for a new agent. Everything can be changed later. */
export type Starter = {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly agent: Omit<AgentInput, 'name' | 'systemMessage'> & {
    readonly name: string;
    readonly systemMessage: string;
  };
};

export const starters: readonly Starter[] = [
  {
    id: 'blank',
    title: 'Blank',
    about: 'Your own instructions, no tools yet.',
    agent: { name: '', systemMessage: '' },
  },
  {
    id: 'support',
    title: 'Support with an approval',
    about: 'Looks up orders, and asks a person before refunding one.',
    agent: {
      name: 'Support',
      systemMessage: `You help customers with their orders.

- Look an order up before you talk about it. Never guess a status or a date.
- Offer a refund only for an order that you have looked up. A person approves it: say that you have asked, and keep helping.
- If you cannot help, create a task for the team and tell the customer that somebody will call back.`,
      tools: [
        {
          kind: 'http',
          name: 'get_order',
          title: 'Looking up the order',
          description: 'Look up the status of an order by its number.',
          method: 'GET',
          url: 'https://shop.example.com/orders/{{number}}',
          parameters: {
            type: 'object',
            properties: { number: { type: 'integer', description: 'Number of the order.' } },
            required: ['number'],
          },
        },
        {
          kind: 'http',
          name: 'refund_order',
          title: 'Refunding the order',
          description: 'Refund an order, in whole or in part.',
          method: 'POST',
          url: 'https://shop.example.com/orders/{{number}}/refunds',
          parameters: {
            type: 'object',
            properties: {
              number: { type: 'integer', description: 'Number of the order.' },
              amount: { type: 'number', description: 'How much to pay back.' },
              reason: { type: 'string', description: 'Why, in a sentence.' },
            },
            required: ['number', 'amount', 'reason'],
          },
          approvalRequired: true,
          approvers: ['api'],
        },
        { kind: 'builtin', name: 'create_task', title: 'Creating a task' },
      ],
    },
  },
  {
    id: 'concierge',
    title: 'Voice concierge',
    about: 'Answers the phone: short answers, knows the time, creates tasks.',
    agent: {
      name: 'Concierge',
      systemMessage: `You answer the phone for a hotel, warmly and briefly.

- One or two sentences at a time. No lists, no spelling out of addresses unless asked.
- Repeat dates, names and numbers back before you rely on them.
- Wishes that somebody has to fulfil become a task, with the room and the time.`,
      voice: 'marin',
      turnDetection: { type: 'semantic_vad', eagerness: 'auto' },
      tools: [
        { kind: 'builtin', name: 'current_time' },
        { kind: 'builtin', name: 'create_task', title: 'Noting your request' },
      ],
    },
  },
  {
    id: 'text',
    title: 'Text assistant',
    about: 'Answers in text, and searches earlier messages.',
    agent: {
      name: 'Assistant',
      systemMessage: `You answer questions of colleagues in writing.

- Answer first, then explain. Short paragraphs.
- Say what you do not know. Never invent names, numbers or links.`,
      outputModalities: ['text'],
      tools: [
        { kind: 'builtin', name: 'search_conversation' },
        { kind: 'builtin', name: 'current_time' },
      ],
    },
  },
];

/** Common passages for instructions. */
export const passages: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'Who the agent is',
    text: `You are … of …. You help … with ….
You do not talk about anything else: say so kindly and lead back.`,
  },
  {
    title: 'How to talk on the phone',
    text: `Speak in one or two short sentences, then let the caller talk.
Repeat names, dates and numbers back before you rely on them.
If you did not understand, say so and ask again.`,
  },
  {
    title: 'When to use tools',
    text: `Look things up with your tools before you talk about them. Never guess.
Say what you are about to do before a tool that takes long.
If a tool fails, say so, and offer another way.`,
  },
  {
    title: 'When a person approves',
    text: `Some actions wait until a person approves them. Say that you have asked, and keep helping in the meantime.
If it is rejected, say so without guessing why.`,
  },
  {
    title: 'When to hand over',
    text: `If you cannot help, or the caller asks for a person, create a task with the name, the number and what it is about.
Say that somebody will call back.`,
  },
];

/** Appends a passage to the instructions. */
export function withPassage(instructions: string, passage: string): string {
  const before = instructions.trimEnd();
  return before === '' ? passage : `${before}\n\n${passage}`;
}

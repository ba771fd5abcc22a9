import type { Parley } from '@parley/client/server';

export type Furnished = {
  readonly agentId: string;
  readonly conversationId: string;
  readonly webhookId: string;
};

/** Names and texts as people and their tools really write them, and as an attacker would. */
export const ugly = {
  html: '<img src=x onerror="document.title=\'hacked\'"><script>document.title="hacked"</script>',
  bidi: 'price \u202e001 si\u202c 100',
  rightToLeft: 'مساعد الحجوزات',
  long: 'Agent'.repeat(40),
} as const;

/** Something of everything, so that no page is empty. */
export async function furnish(parley: Parley, demoAgentId: string): Promise<Furnished> {
  const agent = await parley.agents.create({
    name: 'Front desk',
    systemMessage: 'You book rooms and answer questions about the house.',
    tools: [
      {
        kind: 'http',
        name: 'refund_booking',
        description: 'Refunds a booking.',
        method: 'POST',
        url: 'https://bookings.example.com/refunds',
        parameters: {
          type: 'object',
          properties: { bookingId: { type: 'string' }, amount: { type: 'number' } },
          required: ['bookingId', 'amount'],
        },
        approvalRequired: true,
      },
    ],
  });
  for (const name of [ugly.html, ugly.rightToLeft, ugly.long])
    await parley.agents.create({ name, systemMessage: ugly.bidi });
  const answer = await parley.questions.ask(demoAgentId, {
    question: '!call current_time {"timeZone": "Europe/Lisbon"}',
  });
  await parley.questions.ask(demoAgentId, { question: `!say ${ugly.html} ${ugly.bidi}` });
  const webhook = await parley.webhooks.create({
    url: 'https://hooks.example.com/parley',
    events: ['approval.waiting'],
  });
  return { agentId: agent.id, conversationId: answer.conversationId, webhookId: webhook.id };
}

import type { RealtimeSessionRequest } from '@parley/client/server';
import type { Snippet } from '../../parts/code-block.js';

export type CodeFacts = {
  readonly origin: string;
  readonly organizationId: string;
  readonly agentId: string;
  /** The body of the request that creates the session. */
  readonly request: RealtimeSessionRequest;
  /** Whether the session uses voice. */
  readonly talking: boolean;
  readonly pushToTalk: boolean;
};

/** The code to create and open this session. Keys are read from the environment. */
export function sessionAsCode(facts: CodeFacts): readonly Snippet[] {
  return [
    { language: 'curl', code: asCurl(facts) },
    { language: 'TypeScript (backend)', code: asBackend(facts) },
    { language: 'TypeScript (page)', code: asPage(facts) },
  ];
}

function asCurl({ origin, organizationId, agentId, request }: CodeFacts): string {
  const lines = [
    `curl -X POST ${quoted(`${origin}/api/v1/Agent/${agentId}/realtime-session`)}`,
    `  -H "X-Api-Key: $PARLEY_API_KEY"`,
    `  -H ${quoted(`X-Org-Id: ${organizationId}`)}`,
    `  --json ${quoted(JSON.stringify(request))}`,
  ];
  return lines.join(' \\\n');
}

/** Quotes a string for the shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function asBackend({ origin, organizationId, agentId, request }: CodeFacts): string {
  const { clientTools, ...own } = request;
  const body = literal(own);
  const given = body === '{}' ? '{ ...request }' : `{\n    ...request,${body.slice(1, -2)},\n  }`;
  return `import { Parley } from '@parley/client/server';

const parley = new Parley({
  baseUrl: ${JSON.stringify(origin)},
  apiKey: process.env.PARLEY_API_KEY!,
  organizationId: ${JSON.stringify(organizationId)},
});

// Your page posts \`request\` here: its client tools${clientTools ? '' : ', if it has any,'} and the conversation to continue.
export function createSession(request: object) {
  return parley.realtimeSessions.create(${JSON.stringify(agentId)}, ${given});
}
`;
}

/** Formatted as an argument inside a call that is indented by two. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}

function asPage({ origin, request, talking, pushToTalk }: CodeFacts): string {
  const imports = [
    `import { RealtimeSession } from '@parley/client';`,
    ...(talking ? [`import { connectAudio } from '@parley/client/audio';`] : []),
  ];
  const start = talking
    ? `// In a click handler: the browser asks for the microphone.
const audio = await connectAudio(session${pushToTalk ? `, { mode: 'push-to-talk' }` : ''});
${pushToTalk ? 'audio.hold(); // and audio.release() when the user has finished' : ''}`.trimEnd()
    : `session.sendText('Hello');`;
  return `${imports.join('\n')}

const session = await RealtimeSession.connect({
  baseUrl: ${JSON.stringify(origin)},
  create: async (request) => {
    const body = JSON.stringify(request);
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch('/my/session', { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(\`The session was refused: \${answer.status}.\`);
    return answer.json();
  },${toolsOf(request)}
});
session.on('transcript', ({ role, text }) => console.log(role, text));
session.on('approval', (approval) => console.log(approval.call?.title, approval.secondsLeft));
${start}
`;
}

function toolsOf({ clientTools = [] }: RealtimeSessionRequest): string {
  if (clientTools.length === 0) return '';
  const tools = clientTools.map(({ name, description, parameters }) => {
    const schema = parameters ? `\n      parameters: ${JSON.stringify(parameters)},` : '';
    return `    ${JSON.stringify(name)}: {
      description: ${JSON.stringify(description)},${schema}
      execute: (args) => ({ done: true }), // what your page does
    },`;
  });
  return `\n  tools: {\n${tools.join('\n')}\n  },`;
}

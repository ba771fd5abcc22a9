// The model's mind: it reads the newest turns and decides what to do next. Directives come first;
// then a tool whose name or description matches the user's words; then a short plain answer. The
// same mind answers realtime sessions and chat completions.
import { parseDirectives } from './directives.js';
import { planOf, type Plan } from './plan.js';
import { chooseTool, toolLabel } from './tool-choice.js';
import type { FunctionTool, ToolChoice } from './session-config.js';

type Words<Speaker> = { by: Speaker; text: string; spoken?: boolean };

export type Turn =
  | Words<'system'>
  | Words<'user'>
  | (Words<'assistant'> & { isCutOff?: boolean })
  | { by: 'call'; callId: string; name: string }
  | { by: 'output'; callId: string; text: string };

export type Prompt = {
  turns: readonly Turn[];
  tools: readonly FunctionTool[];
  toolChoice: ToolChoice;
  /** The instructions of this response only, which may contain directives. */
  instructions?: string;
};

export function think(prompt: Prompt): Plan {
  const directed = planOf(parseDirectives(prompt.instructions ?? ''));
  if (directed.length > 0) return directed;
  const fresh = freshTurns(prompt.turns);
  const words = fresh.findLast((turn) => turn.by === 'user');
  if (words) return answerUser(words.text, words.spoken === true, prompt);
  const outputs = fresh.filter((turn) => turn.by === 'output');
  if (outputs.length > 0)
    return [
      { type: 'say', text: outputs.map((output) => reportOutput(output, prompt.turns)).join(' ') },
    ];
  return [{ type: 'say', text: greeting(prompt) }];
}

/**
 * The newest turns that the model has not answered yet: an answer that was cut off answers nothing,
 * and may stand after words that it did not know. A client may put an output next to its call,
 * before later calls.
 */
function freshTurns(turns: readonly Turn[]): readonly Turn[] {
  const answered = turns.findLastIndex((turn) => turn.by === 'assistant' && !turn.isCutOff);
  const sinceAnswer = turns.slice(answered + 1);
  const called = sinceAnswer.findLastIndex((turn) => turn.by === 'call');
  return sinceAnswer.filter((turn, at) => turn.by === 'output' || at > called);
}

function answerUser(text: string, spoken: boolean, prompt: Prompt): Plan {
  const directed = planOf(parseDirectives(text));
  if (directed.length > 0) return directed;
  const call = chooseTool(text, prompt.tools, prompt.toolChoice);
  if (call) return [{ type: 'call', ...call }];
  return [{ type: 'say', text: plainAnswer(text, spoken, prompt) }];
}

const greets = /\b(hello|hi|hey|greetings?|good (morning|afternoon|evening))\b/i;
const asksForHelp = /\b(help|what can you do|who are you|what are you|tools?)\b/i;
const thanks = /\b(thanks|thank you|bye|goodbye)\b/i;
const unrecognised = /^\(([\d.]+) seconds of speech\)$/;

function plainAnswer(text: string, spoken: boolean, prompt: Prompt): string {
  const heard = unrecognised.exec(text.trim());
  if (heard)
    return `I heard ${heard[1] ?? 'some'} seconds of speech. I am a simulated model and do not understand real voices, but you can type to me.`;
  if (greets.test(text)) return greeting(prompt);
  if (asksForHelp.test(text)) return `I am a simulated model. ${abilities(prompt.tools)}`;
  if (thanks.test(text)) return 'You are welcome. Talk to you soon!';
  if (text.trim() === '') return 'Are you still there?';
  return `${spoken ? 'I heard' : 'You said'}: ${sentence(text, 200)} ${abilities(prompt.tools)}`;
}

const greeting = ({ tools }: Prompt): string => `Hello! ${abilities(tools)}`;

function abilities(tools: readonly FunctionTool[]): string {
  const labels = tools.filter((tool) => tool.type === 'function').map(toolLabel);
  if (labels.length === 0) return 'How can I help you?';
  const last = labels.at(-1) ?? '';
  const list = labels.length === 1 ? last : `${labels.slice(0, -1).join(', ')} or ${last}`;
  return `I can ${list}. What would you like?`;
}

function reportOutput(output: { callId: string; text: string }, turns: readonly Turn[]): string {
  const call = turns.find((turn) => turn.by === 'call' && turn.callId === output.callId);
  const name = call?.by === 'call' ? toolLabel({ name: call.name }) : 'the tool';
  return `Here is what ${name} returned: ${sentence(plainText(output.text), 600)}`;
}

/** Reads a JSON result aloud: its `text`, or its fields one by one. */
function plainText(output: string): string {
  let value: unknown;
  try {
    value = JSON.parse(output);
  } catch {
    return output;
  }
  return describe(value, 3);
}

function describe(value: unknown, depth: number): string {
  if (value === null || typeof value !== 'object') return String(value);
  if (depth === 0) return 'more';
  if (Array.isArray(value))
    return (
      value
        .slice(0, 5)
        .map((v) => describe(v, depth - 1))
        .join(', ') || 'nothing'
    );
  const fields = Object.entries(value);
  const text = fields.find(([name, field]) => name === 'text' && typeof field === 'string');
  if (text) return String(text[1]);
  return (
    fields
      .slice(0, 8)
      .map(([name, field]) => `${toolLabel({ name })}: ${describe(field, depth - 1)}`)
      .join(', ') || 'nothing'
  );
}

/** A text as one sentence of an answer: not too long, and with punctuation at its end. */
function sentence(text: string, longest: number): string {
  const whole = text.trim();
  if (whole.length > longest) return `${whole.slice(0, longest)}…`;
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

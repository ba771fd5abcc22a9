import {
  cancelRun,
  findAnswer,
  findRun,
  forgetWords,
  usageOfRun,
  type OrganizationScope,
} from '@parley/database';
import { checkClientTools, findModel } from '@parley/issuing';
import { openAiRefusal, Problem, RealtimeError, type Tool } from '@parley/protocol';
import type { TextToolCall } from '@parley/providers';
import { noteRefusal, toProblem } from '../http/refuse.js';
import { sendStream } from '../http/send.js';
import { beginQuestion, type BegunQuestion } from '../questions/begin-question.js';
import { eventStreamHeaders, EventStream } from '../questions/event-stream.js';
import { invalid, readChat, type ChatQuestion } from './chat-request.js';
import { chatCompletion, chunksOf, type Completed } from './completion.js';
import type { DoorCall, DoorPorts } from './door.js';
import { recallCalls } from './recall-calls.js';

/** OpenAI's clients repeat what failed, unless they are told not to: a question that began may have run tools. */
const headers = { 'x-should-retry': 'false' };

export async function completeChat(ports: DoorPorts, call: DoorCall): Promise<void> {
  const chat = readChat(call.body);
  const begun = await begin(ports, call, chat);
  const question: Question = { ports, begun, chat };
  await (chat.stream ? stream(question, call) : answer(question, call));
}

type Question = {
  readonly ports: DoorPorts;
  readonly begun: BegunQuestion;
  readonly chat: ChatQuestion;
};

function begin(
  { database, questions, quotas }: DoorPorts,
  { caller }: DoorCall,
  chat: ChatQuestion,
) {
  const { conversationId, given, said } = chat;
  const keep = conversationId !== null;
  return database.inOrganization(caller.organizationId, async (scope) => {
    const agent = await findModel(scope, chat.model);
    const names = new Set((agent.tools as Tool[]).map(({ name }) => name));
    const errors = checkClientTools(given.tools, names).map((error) => ({
      ...error,
      path: error.path.replace(/^\/clientTools\/(\d+)/, '/tools/$1/function'),
    }));
    if (errors.length > 0) throw invalid(errors);
    const messages = keep ? chat.messages : await recallCalls(scope, agent.id, chat.messages);
    const { settings, podId: watcher } = questions;
    const place = { agentId: agent.id, keyId: caller.keyId, watcher, settings, quotas };
    const asked = { messages, said, conversationId, keep, fileIds: [], given };
    return beginQuestion(scope, asked, place);
  });
}

async function answer(question: Question, { response }: DoorCall): Promise<void> {
  const { questions: desk } = question.ports;
  const left = new AbortController();
  response.once('close', () => left.abort());
  const patience = patienceOf(question);
  const work = desk.start(question.begun.leased, silent);
  const until = AbortSignal.any([left.signal, patience]);
  await Promise.race([work, aborted(until)]);
  const done = await follow(question, until);
  response.json(chatCompletion(frameOf(question), done));
}

async function stream(question: Question, { response }: DoorCall): Promise<void> {
  const { begun, chat, ports } = question;
  const chunks = chunksOf(frameOf(question), chat.includeUsage);
  const events = new EventStream();
  events.sendData(chunks.begin());
  const words = new Words((text) => events.sendData(chunks.text(text)));
  const tell = async () => {
    const work = ports.questions.start(begun.leased, words);
    const advanced = await Promise.race([work, aborted(events.left)]);
    const done = await follow(question, AbortSignal.any([events.left, patienceOf(question)]));
    // What another process went on with after an approval was not heard here.
    if (advanced?.state !== 'answered' && done.content !== '') words.onText(done.content);
    for (const chunk of chunks.end(done)) events.sendData(chunk);
  };
  void tell()
    .catch((error: unknown) => {
      const refusal = error instanceof RealtimeError ? error : toProblem(error);
      noteRefusal(ports.logger, { error, refusal, requestId: response.getHeader('X-Request-Id') });
      events.sendData(JSON.stringify(openAiRefusal(refusal).body));
    })
    .finally(() => events.end());
  const mediaType = 'text/event-stream';
  await sendStream(response, { mediaType, headers: eventStreamHeaders, chunks: events });
}

const silent = { onEvent: () => undefined, onText: () => undefined };

/** Keeps what an agent says before and after a tool call apart. */
class Words {
  readonly #say: (text: string) => void;
  #said = false;
  #apart = false;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  readonly onEvent = (): void => {
    this.#apart = this.#said;
  };

  readonly onText = (text: string): void => {
    this.#say(this.#apart ? `\n\n${text}` : text);
    this.#said = true;
    this.#apart = false;
  };
}

/** Follows a question to its end, here or in a worker. Nobody can come back to one that is not kept: what its caller leaves is cancelled. */
async function follow(question: Question, until: AbortSignal): Promise<Completed> {
  const { ports, begun, chat } = question;
  const { questions: desk, database } = ports;
  const { id, organizationId, conversationId } = begun.leased;
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(organizationId, work);
  const passing = chat.conversationId === null;
  const signal = AbortSignal.any([until, desk.leaving]);
  for (;;) {
    const found = await inScope((scope) => read(scope, id));
    if (found.state === 'done') {
      // Calls that are left to the caller will be asked about once more.
      if (passing && found.done.calls.length === 0)
        await inScope((scope) => forgetWords(scope, conversationId));
      return found.done;
    }
    if (signal.aborted) {
      if (passing) await inScope((scope) => withdraw(scope, begun.leased));
      const waits = found.state === 'waiting';
      throw tooLate({ waits, passing, leaving: desk.leaving.aborted });
    }
    await desk.news(id, signal);
  }
}

async function withdraw(
  scope: OrganizationScope,
  { id, conversationId }: BegunQuestion['leased'],
): Promise<void> {
  await cancelRun(scope, id, 'Nobody waits for the answer any more.');
  await forgetWords(scope, conversationId);
}

type Found = { state: 'done'; done: Completed } | { state: 'open' | 'waiting' };

async function read(scope: OrganizationScope, id: string): Promise<Found> {
  const run = await findRun(scope, id);
  if (!run) throw new Problem('conflict', 'The conversation was deleted.', { headers });
  if (run.state === 'failed')
    throw new Problem('provider-unavailable', run.failure ?? 'The model gave no answer.', {
      headers,
    });
  if (run.state !== 'answered') return { state: run.state };
  const calls = (run.run ?? []) as TextToolCall[];
  const content = (await findAnswer(scope, id)) ?? '';
  return { state: 'done', done: { content, calls, usage: await usageOfRun(scope, id) } };
}

type Lateness = { waits: boolean; passing: boolean; leaving: boolean };

function tooLate({ waits, passing, leaving }: Lateness): Problem {
  const fate = passing
    ? 'The question was cancelled.'
    : 'The question goes on, and its answer will stand in the conversation.';
  if (leaving) return new Problem('service-unavailable', `The instance is shutting down. ${fate}`);
  if (!waits)
    return new Problem('answer-late', `There was no answer in time. ${fate}`, { headers });
  const detail = `A tool of the agent needs an approval, and nobody approved it in time. ${fate}`;
  return new Problem('approval-pending', detail, { headers });
}

function frameOf({ begun, chat }: Question) {
  return {
    runId: begun.leased.id,
    model: chat.model,
    created: Math.floor(Date.now() / 1000),
  };
}

function patienceOf({ ports }: Question): AbortSignal {
  return AbortSignal.timeout(ports.questions.settings.QUESTION_TIMEOUT_SECONDS * 1000);
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

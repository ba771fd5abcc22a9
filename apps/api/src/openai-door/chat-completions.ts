import { deadline } from '@parley/agent-runtime';
import { checkClientTools, findModel } from '@parley/issuing';
import { openAiRefusal, Problem, RealtimeError, type FieldError } from '@parley/protocol';
import { closed } from '../http/closed.js';
import { eventStreamHeaders, EventStream } from '../http/event-stream.js';
import { noteRefusal, toProblem } from '../http/refuse.js';
import { sendStream } from '../http/send.js';
import { beginQuestion, type BegunQuestion } from '../questions/begin-question.js';
import { invalid, readChat, type ChatQuestion } from './chat-request.js';
import { chatCompletion, chunksOf } from './completion.js';
import type { DoorCall, DoorPorts } from './door.js';
import { followChat, withdraw } from './follow-chat.js';
import { recallCalls } from './recall-calls.js';
import { Words } from './words.js';

export async function completeChat(ports: DoorPorts, call: DoorCall): Promise<void> {
  const chat = readChat(call.body);
  const begun = await begin(ports, call, chat);
  // OpenAI's clients retry failures unless this prevents it: the question may have run tools.
  call.response.set('x-should-retry', 'false');
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
    const errors = checkClientTools(given.tools, new Set(agent.toolNames));
    if (errors.length > 0) throw invalid(errors.map(asSent));
    const messages = keep ? chat.messages : await recallCalls(scope, agent.id, chat.messages);
    const { settings, podId: watcher } = questions;
    const place = { agentId: agent.id, openedBy: caller.openedBy, watcher, settings, quotas };
    const asked = { messages, said, conversationId, keep, fileIds: [], given };
    return beginQuestion(scope, asked, place).catch(inPlace);
  });
}

/** Maps later errors to the fields that the caller sent. */
function inPlace(error: unknown): never {
  if (error instanceof Problem && error.code === 'body-invalid')
    throw invalid(error.errors.map(asSent));
  throw error;
}

function asSent({ path, message }: FieldError): FieldError {
  const sent = path
    .replace(/^\/clientTools\/(\d+)/, '/tools/$1/function')
    .replace(/^\/conversationId$/, '/metadata/conversationId');
  return { path: sent, message };
}

async function answer(question: Question, { response }: DoorCall): Promise<void> {
  const { questions: desk } = question.ports;
  const startedAt = performance.now();
  const until = AbortSignal.any([closed(response), patienceOf(question)]);
  const work = desk.start(question.begun.leased, silent);
  try {
    const done = await orWithdraw(question, async () => {
      await Promise.race([work, aborted(until)]);
      return followChat(question, until);
    });
    response.json(chatCompletion(frameOf(question), done));
  } finally {
    desk.metrics.waited((performance.now() - startedAt) / 1000);
  }
}

async function stream(question: Question, { response }: DoorCall): Promise<void> {
  const { begun, chat, ports } = question;
  const chunks = chunksOf(frameOf(question), chat.includeUsage);
  const events = new EventStream();
  events.sendData(chunks.begin());
  const words = new Words((text) => events.sendData(chunks.text(text)));
  const left = AbortSignal.any([events.left, closed(response)]);
  const tell = async () => {
    const work = ports.questions.start(begun.leased, words);
    const advanced = await Promise.race([work, aborted(left)]);
    const done = await followChat(question, AbortSignal.any([left, patienceOf(question)]));
    // Text that another process generated after an approval was not streamed here.
    if (advanced?.state !== 'answered' && done.content !== '') words.onText(done.content);
    for (const chunk of chunks.end(done)) events.sendData(chunk);
  };
  void orWithdraw(question, tell)
    .catch((error: unknown) => {
      const refusal = error instanceof RealtimeError ? error : toProblem(error);
      noteRefusal(ports.logger, { error, refusal, requestId: response.getHeader('X-Request-Id') });
      events.sendData(JSON.stringify(openAiRefusal(refusal).body));
    })
    .finally(() => events.end());
  const mediaType = 'text/event-stream';
  await sendStream(response, { mediaType, headers: eventStreamHeaders, chunks: events });
}

/** What fails before it has an end would be continued by a worker, for nobody. */
async function orWithdraw<T>(question: Question, follow: () => Promise<T>): Promise<T> {
  try {
    return await follow();
  } catch (error) {
    if (!(error instanceof Problem)) await withdraw(question).catch(() => undefined);
    throw error;
  }
}

const silent = { onEvent: () => undefined, onText: () => undefined };

function frameOf({ begun, chat }: Question) {
  return {
    runId: begun.leased.id,
    model: chat.model,
    created: Math.floor(Date.now() / 1000),
  };
}

function patienceOf({ ports }: Question): AbortSignal {
  return deadline(ports.questions.settings.QUESTION_TIMEOUT_SECONDS * 1000);
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

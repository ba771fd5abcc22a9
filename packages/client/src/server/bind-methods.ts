import { AnswerStream, answerEvents } from './answer-stream.js';
import { auditRecords } from './audit-records.js';
import type { CallOptions } from './call-options.js';
import type { AuditRecord } from './contract.js';
import { ParleyApiError } from './errors.js';
import { methods, type Groups } from './groups.js';
import { listenedPlaces, type ListenedEvent } from './organization-events.js';
import { Listing, type Page } from './listing.js';
import type { Gives, Method } from './method.js';
import { prepareCall, requestFor, type Call } from './prepare-request.js';
import { noteHeaders } from './response-headers.js';
import { resumed } from './resume.js';
import { streamBody, textOf } from './stream-body.js';
import type { Read, Transport } from './transport.js';

/** The methods of a group, each of which sends its request. */
export function bindMethods<Name extends keyof Groups>(
  group: Name,
  { transport, defaults }: { transport: Transport; defaults: CallOptions },
): Groups[Name] {
  const bound = Object.entries<Method>(methods[group]).map(([name, method]) => {
    const described = { name: `${group}.${name}`, method, defaults };
    const perform = (...args: unknown[]) =>
      performers[method.gives](transport, prepareCall(described, args));
    return [name, perform];
  });
  return Object.fromEntries(bound) as Groups[Name];
}

const performers: Record<Gives, (transport: Transport, call: Call) => unknown> = {
  nothing: async (transport, call) => transport.send(requestFor(call), readNothing),
  json: async (transport, call) => transport.send(requestFor(call), readJson),
  answer: async (transport, call) => transport.send(requestFor(call), readJson),
  page: (transport, call) =>
    new Listing(
      (place) => transport.send(requestFor(call, place), readJson as Read<Page<unknown>>),
      call.query,
    ),
  events: (transport, call) =>
    new AnswerStream(
      resumed({
        ...persistence(transport, call),
        open: async () => answerEvents(await openText(transport, call)),
      }),
    ),
  happenings,
  records,
  text: async function* (transport, call) {
    yield* await openText(transport, call, { format: 'csv' });
  },
  download: async (transport, call) => {
    const read: Read<Response> = async (response, deadline) => {
      const { status, headers } = response;
      const { value } = await streamBody(response, deadline);
      return { value: new Response(value, { status, headers }), goesOn: true };
    };
    return transport.send(requestFor(call), read);
  },
};

async function* records(transport: Transport, call: Call): AsyncGenerator<AuditRecord> {
  let last: AuditRecord | undefined;
  const open = async () => {
    const more = last ? { after: last.sequence } : {};
    return auditRecords(await openText(transport, call, more));
  };
  for await (const record of resumed({ ...persistence(transport, call), open }))
    yield (last = record);
}

async function* happenings(transport: Transport, call: Call): AsyncGenerator<ListenedEvent> {
  let place: object = {};
  const open = async () => {
    const resumedCall = { ...call, headers: { ...call.headers, ...place } };
    return listenedPlaces(await openText(transport, resumedCall));
  };
  for await (const { id, event } of resumed({ ...persistence(transport, call), open })) {
    place = { 'last-event-id': id };
    if (event) yield event;
  }
}

function persistence(transport: Transport, { limits }: Call) {
  const { maxRetries } = limits;
  return { maxRetries, backOff: (failures: number) => transport.backOff(failures, limits) };
}

async function openText(transport: Transport, call: Call, more: object = {}) {
  return textOf(await transport.send(requestFor(call, { ...more }), streamBody));
}

const readNothing: Read<void> = async ({ body }) => {
  await body?.cancel();
  return { value: undefined };
};

/** A 200 response may come from something other than the service. */
const readJson: Read<unknown> = async (response) => {
  const text = await response.text();
  try {
    return { value: noteHeaders(JSON.parse(text) as unknown, response.headers) };
  } catch {
    throw new ParleyApiError({
      status: response.status,
      errorCode: undefined,
      detail: 'The response is not valid JSON. Check that baseUrl is the address of the service.',
      errors: [],
      quota: undefined,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfter: undefined,
    });
  }
};

/** The same response, whose body fails once it grows beyond a limit. */
export function limitBody(response: Response, maxBytes: number): Response {
  if (!response.body) return response;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > maxBytes) controller.error(new Error('The answer is too large.'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  const body = response.body.pipeThrough(limit);
  return new Response(body, { status, statusText, headers: new Headers([...headers]) });
}

// What a customer's backend does while things fail: an attempt has an end, and a failed one is a
// value. Status 0 means that there was no answer: nobody knows whether it was done.
const answerMs = 15_000;

export function createRest(origin, { organizationId, apiKey }) {
  const headers = {
    'X-Api-Key': apiKey,
    'X-Org-Id': organizationId,
    'Content-Type': 'application/json',
  };
  return async function ask(method, path, { body, key } = {}) {
    try {
      const response = await fetch(`${origin}/api/v1${path}`, {
        method,
        headers: { ...headers, ...(key && { 'Idempotency-Key': key }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerMs),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { status: 0, body: String(error.cause ?? error) };
    }
  };
}

const temporary = new Set([0, 429, 502, 503, 504]);

/** No answer, or one that says to try again. A 500 does not: nobody should ever get one. */
export function mayRetry({ status }) {
  return temporary.has(status);
}

import type { ProblemCode } from '@parley/protocol';
import type { Remedy } from './remedy.js';

export const problemRemedies = {
  'key-missing': {
    cause: 'The header is missing, or a proxy removes it.',
    action: 'Send `X-Api-Key: $API_KEY` with every request.',
  },
  'key-invalid': {
    cause:
      'The key is mistyped, was revoked, or belongs to another deployment. An empty shell variable also causes this.',
    action:
      'Run `npm run admin -- key list --org ID` to see which keys are valid, and create a new one if necessary.',
  },
  'key-expired': {
    cause: 'The key was created with `--expires`, and that time has passed.',
    action: 'Create a new key, roll it out to your backend, and revoke the old one.',
  },
  'session-over': {
    cause:
      'The console was not used for 12 hours, the session is 7 days old, the user signed out, the member was removed, or the password was changed.',
    action: 'Sign in again. What you have typed stays on the page.',
  },
  'sign-in-refused': {
    cause:
      'The address or the password is mistyped, the account has no password, or it is not a member of any organization.',
    action:
      'Try again, or request a link: `npm run admin -- user sign-in-link --org ID --email EMAIL`.',
  },
  'sign-in-link-unusable': {
    cause:
      'A link works once, within 10 minutes. Mail and chat programs that preview links can use it up.',
    action:
      'Request a new one: `npm run admin -- user sign-in-link --org ID --email EMAIL`. `npm start` prints one, too.',
  },
  'origin-foreign': {
    cause:
      'Another site sent the request, a proxy removes the Origin header, or `PUBLIC_URL` is not the address in the browser.',
    action:
      'Open the console at `PUBLIC_URL`. Without it, the Origin must match the Host header. Programs should send an API key instead of the cookie.',
  },
  'csrf-token-wrong': {
    cause: 'The header is missing, or belongs to an earlier session.',
    action: 'Send the `csrfToken` from `GET /api/v1/Me` as `X-Parley-Csrf`, or reload the page.',
  },
  'role-missing': {
    cause: 'The operation needs a higher role in this organization. `detail` names both roles.',
    action: 'Ask an owner, or run `npm run admin -- user role --org ID --email EMAIL --role ROLE`.',
  },
  'organization-missing': {
    cause: 'Only the key was sent. A request needs both headers.',
    action: 'Send `X-Org-Id: $ORG_ID` as well.',
  },
  'organization-malformed': {
    cause: 'The header contains a name instead of an id, or a proxy adds a second one.',
    action: 'Send the organization’s UUID once. `npm run admin -- org list` shows it.',
  },
  'organization-forbidden': {
    cause:
      'The id and the key belong to different organizations or environments, or the signed-in person was removed from the organization.',
    action: 'Use a key of the organization in `X-Org-Id`, or ask an owner to add you as a member.',
  },
  'origin-forbidden': {
    cause:
      '`REALTIME_ALLOWED_ORIGINS` is set but does not list the page’s origin. `http` and `https`, and each port, are different origins.',
    action: 'Add the origin exactly as the browser sends it, such as `https://app.example.com`.',
  },
  'scope-missing': {
    cause:
      'The key was created with `--scopes`, and this operation needs another scope. `detail` names it.',
    action: 'Create a key that has the scope, and revoke the old one.',
  },
  'rate-limited': {
    cause:
      'The key sends more than `RATE_LIMIT_PER_MINUTE` requests, or one address sent too many wrong keys or tokens.',
    action:
      'Wait for `Retry-After`, then send requests more slowly. The operator can raise the limit. Behind a load balancer, `TRUSTED_PROXIES` must be set, or all clients count as one.',
  },
  'quota-reached': {
    cause:
      'The organization has reached its limit of sessions, questions, file bytes, tokens or MCP servers. `quota` says which.',
    action:
      'Wait for `Retry-After` or use less. The operator can raise it with `npm run admin -- org set --org ID --quota NAME=NUMBER`.',
  },
  'too-many-streams': {
    cause: 'Every page or process keeps its own event stream open, or did not close old ones.',
    action:
      'Listen once in your backend and forward the events. Close unused streams; an instance notices within seconds.',
  },
  'id-malformed': {
    cause: 'A variable in the URL was empty or did not contain an id.',
    action:
      'Print the URL that you request. Ids are UUIDs such as `7b6f4a52-2f6e-4c55-9d53-0d3a5c1e0001`.',
  },
  'query-invalid': {
    cause:
      'A parameter is misspelled (names start with a capital letter, such as `AgentId`), repeated or out of range.',
    action:
      'Read `errors`, which names the parameter, and compare it with the [API reference](/docs/api).',
  },
  'body-malformed': {
    cause:
      'The shell removed the quotes of a JSON body, the file is not UTF-8, or an upload is not a multipart form.',
    action:
      'Put the JSON in single quotes or in a file (`-d @body.json`). For uploads, use `-F file=@NAME`, and do not set Content-Type yourself.',
  },
  'body-invalid': {
    cause: 'A field is missing, unknown, or has the wrong type.',
    action: 'Read `errors`: each entry has the path of the field and what is wrong with it.',
  },
  'body-too-large': {
    cause:
      'The JSON body is larger than `MAX_BODY_BYTES`, or the file than `TEMPORARY_FILE_MAX_BYTES`.',
    action:
      'Send less, upload long texts as [files](files.md), or ask the operator to raise the limit.',
  },
  'media-type-unsupported': {
    cause: 'With `-d`, curl sends `application/x-www-form-urlencoded` by default.',
    action: 'Send `Content-Type: application/json`.',
  },
  'file-type-unsupported': {
    cause:
      'The file is an image, an office document or an archive. The type is detected from the content, not from the name.',
    action: 'Convert it to text, Markdown, CSV, JSON or PDF.',
  },
  'request-malformed': {
    cause:
      'The path has an invalid percent-encoding, or a header contains characters that are not allowed.',
    action: 'Encode path segments with `encodeURIComponent` or your language’s equivalent.',
  },
  'not-found': {
    cause: 'The resource was deleted or has expired, or it belongs to another organization.',
    action: 'Check the id and `X-Org-Id`. Files expire after `TEMPORARY_FILE_TTL_HOURS`.',
  },
  'route-not-found': {
    cause:
      'The path is misspelled. Paths are case-sensitive: `/api/v1/Agent`, not `/api/v1/agents`.',
    action: 'Look the path up in the [API reference](/docs/api).',
  },
  'method-not-allowed': {
    cause: 'The path is correct, but the method is not.',
    action: 'Use one of the methods in the `Allow` header.',
  },
  'upgrade-required': {
    cause: 'The realtime path was fetched with HTTP, or a proxy dropped the `Upgrade` header.',
    action:
      'Use a WebSocket client. Behind a proxy, forward `Upgrade` and `Connection`: see [TLS and reverse proxies](tls.md).',
  },
  conflict: {
    cause: 'Something else still uses the resource, or the id already exists.',
    action: 'Read `detail`, fix what it names, then repeat the request.',
  },
  'precondition-malformed': {
    cause: 'The quotes of the ETag were lost.',
    action: 'Send the header as you received it: `If-Match: "…"`.',
  },
  'precondition-failed': {
    cause:
      'Somebody else changed the resource after you read it, or it exists and you sent `If-None-Match: *`.',
    action: 'Read it again, apply your change to the new state, and send the new ETag.',
  },
  'idempotency-key-malformed': {
    cause:
      'The key is empty, longer than 255 characters, or contains spaces or accented characters.',
    action: 'Use a UUID.',
  },
  'idempotency-key-reused': {
    cause: 'The same key was used for a different request, or by another API key.',
    action: 'Generate a new key for each request, and only reuse it to retry that same request.',
  },
  'idempotency-in-progress': {
    cause: 'Your client repeated a request while the first one was still in progress.',
    action: 'Wait for `Retry-After` and retry: you get the response of the first request.',
  },
  'approval-decided': {
    cause: 'Somebody else was faster, the deadline has passed, or the session has ended.',
    action: 'Nothing. `detail` contains the decision; show that instead of an error.',
  },
  'approval-session-silent': {
    cause: 'The instance that has the session of the call has died, or cannot reach Redis.',
    action:
      'Try again. If the instance does not come back, the call is cancelled within a minute, and a new session can make it again. Calls of resumable sessions can be approved all the same.',
  },
  'approval-client-only': {
    cause: 'The tool has `"approvers": ["client"]`.',
    action: 'Decide on the session’s socket, or add `api` to the tool’s `approvers`.',
  },
  'approval-ambiguous': {
    cause: 'Two sessions are waiting with the same provider call id.',
    action: 'Use the approval’s own `id` from `GET /api/v1/Approval`.',
  },
  'approval-pending': {
    cause: 'One of the agent’s tools needs approval, and nobody decided in time.',
    action:
      'Decide sooner, raise `QUESTION_TIMEOUT_SECONDS`, or name a conversation in `metadata.conversationId`, to which the answer will be added.',
  },
  'answer-late': {
    cause: 'The model or a tool took longer than `QUESTION_TIMEOUT_SECONDS`.',
    action:
      'Raise `QUESTION_TIMEOUT_SECONDS`, stream the answer, or name a conversation in `metadata.conversationId`, to which the answer will be added.',
  },
  'model-not-found': {
    cause: 'The model is one of OpenAI’s, or an agent of another organization.',
    action: 'Send the agent’s id as the model. `GET /v1/models` lists them.',
  },
  'request-timeout': {
    cause: 'The connection is slow, or the client stopped in the middle of the request.',
    action: 'Send it again on a new connection. Large bodies compress well: send them with gzip.',
  },
  'uri-too-long': {
    cause: 'A query parameter contains something that belongs in a body.',
    action: 'Shorten the query.',
  },
  'expectation-failed': {
    cause: 'The client or a proxy sends an `Expect` header that cannot be met.',
    action: 'Send no `Expect` header, or `Expect: 100-continue`.',
  },
  'headers-too-large': {
    cause: 'A browser sends many cookies for the same host, or a proxy adds long headers.',
    action: 'Keep the headers below 16 KiB in total.',
  },
  'provider-unavailable': {
    cause:
      'The provider’s key is wrong or has no credit, the model does not exist, or the provider is unreachable.',
    action:
      'Read `detail`, check the connection’s key, base URL and model ([providers](providers.md)), then ask again. The same `Idempotency-Key` would return the same failure.',
  },
  'service-unavailable': {
    cause: 'PostgreSQL or Redis is unavailable, or the instance is shutting down.',
    action:
      'Wait for `Retry-After` and retry. If it persists, the operator can find the reason in the log and in `parley_store_up`.',
  },
  internal: {
    cause: 'A bug.',
    action:
      'Report the `X-Request-Id` of the response. The log has a line `request failed` with the same id.',
  },
} as const satisfies Record<ProblemCode, Remedy>;

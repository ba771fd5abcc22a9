import { refusal } from './account.js';
import { csrfToken, noteExpired } from './signed-in.js';

const path = '/api/v1/TemporaryFile';

type Upload = {
  readonly organizationId: string;
  readonly file: File;
  /** Progress, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
};

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
export function uploadFile({ organizationId, file, onProgress, signal }: Upload): Promise<void> {
  const body = new FormData();
  body.append('file', file, file.name);
  const request = new XMLHttpRequest();
  request.open('POST', path);
  request.setRequestHeader('accept', 'application/json');
  request.setRequestHeader('x-org-id', organizationId);
  request.setRequestHeader('x-parley-csrf', csrfToken());
  return new Promise((done, fail) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => fail(new Error('The connection was lost. Try again.'));
    request.onabort = () => fail(new Error('The upload was cancelled.'));
    request.onload = () => {
      if (request.status === 401) noteExpired(true);
      if (request.status < 300) done();
      else void refusal(answerOf(request)).then(fail);
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function answerOf(request: XMLHttpRequest): Response {
  const requestId = request.getResponseHeader('x-request-id');
  return new Response(request.responseText, {
    status: request.status,
    headers: requestId === null ? {} : { 'x-request-id': requestId },
  });
}

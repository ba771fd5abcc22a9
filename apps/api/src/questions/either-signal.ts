/**
 * Fires with either signal. `AbortSignal.any` would leave an entry at the lasting one, which Node 20
 * keeps until that one fires; this leaves nothing there once the brief one has fired, as it must.
 */
export function eitherSignal(brief: AbortSignal, lasting: AbortSignal): AbortSignal {
  const either = new AbortController();
  const fire = () => {
    brief.removeEventListener('abort', fire);
    lasting.removeEventListener('abort', fire);
    either.abort();
  };
  brief.addEventListener('abort', fire);
  lasting.addEventListener('abort', fire);
  if (brief.aborted || lasting.aborted) fire();
  return either.signal;
}

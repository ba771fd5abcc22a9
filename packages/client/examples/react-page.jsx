// A page in React: a call by voice, and a chat without a microphone.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useLevels, useRealtimeSession } from '@parley/client/react';

const create = async (request) => {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(request);
  const answer = await fetch('/my/session', { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The session was refused: ${answer.status}.`);
  return answer.json();
};

function Call({ audio }) {
  const call = useRealtimeSession({ create, audio });
  const send = (event) => {
    event.preventDefault();
    call.sendText(event.target.text.value);
    event.target.reset();
  };
  if (call.state !== 'open' && call.state !== 'reconnecting')
    return (
      <>
        {call.error && <p role="alert">{call.error.message}</p>}
        <button onClick={call.connect} disabled={call.state === 'connecting'}>
          {audio ? 'Call' : 'Chat'}
        </button>
      </>
    );
  return (
    <>
      <p role="status">{call.activity}</p>
      {audio && <Levels audio={call.audio} />}
      <ol aria-live="polite">
        {call.messages.map(({ id, role, text, interrupted }) => (
          <li key={id} className={role}>{`${text}${interrupted ? ' …' : ''}`}</li>
        ))}
      </ol>
      {call.approvals.map(
        ({ callId, state, approve }) =>
          state === 'waiting' && (
            <button key={callId} onClick={approve}>
              Approve
            </button>
          ),
      )}
      <form onSubmit={send}>
        <input name="text" aria-label="Message" autoComplete="off" />
      </form>
      <button onClick={call.disconnect}>Hang up</button>
    </>
  );
}
const Levels = ({ audio }) => <meter value={useLevels(audio).microphone} aria-label="Your voice" />;

createRoot(document.querySelector('main')).render(
  <StrictMode>
    <Call audio />
    <Call audio={false} />
  </StrictMode>,
);

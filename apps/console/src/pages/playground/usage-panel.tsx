import { countOf, countText } from '../../parts/words.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import type { Tokens } from './usage.js';
import { useCallPart } from './use-call.js';
import styles from './measures.module.css';

const usageOf = (now: CallState) => now.usage;

/** Tokens per response and in total, as the provider counts them. */
export function UsagePanel({ call }: { readonly call: Call }) {
  const { responses, count, total } = useCallPart(call, usageOf);
  if (count === 0)
    return <p className={styles.empty}>Tokens appear here once the agent has answered.</p>;
  return (
    <div className={styles.panel}>
      <table className={styles.table} aria-label="Tokens per response">
        <thead>
          <tr>
            <th scope="col">Response</th>
            <th scope="col">In</th>
            <th scope="col">audio</th>
            <th scope="col">cached</th>
            <th scope="col">Out</th>
            <th scope="col">audio</th>
          </tr>
        </thead>
        <tbody>
          {responses.map((response, at) => (
            <tr key={`${response.id} ${response.at}`}>
              <td title={response.id}>
                {count - responses.length + at + 1}
                {response.status !== 'completed' && ` ${response.status}`}
              </td>
              <Figures tokens={response} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>Total</td>
            <Figures tokens={total} />
          </tr>
        </tfoot>
      </table>
      <p className={styles.note}>
        {countText(total.input + total.output)} tokens in {countOf(count, 'response')}.
        Transcription of your speech is not included: see the conversation’s usage.
      </p>
    </div>
  );
}

function Figures({ tokens }: { readonly tokens: Tokens }) {
  return (
    <>
      <td>{countText(tokens.input)}</td>
      <td>{countText(tokens.inputAudio)}</td>
      <td>{countText(tokens.inputCached)}</td>
      <td>{countText(tokens.output)}</td>
      <td>{countText(tokens.outputAudio)}</td>
    </>
  );
}

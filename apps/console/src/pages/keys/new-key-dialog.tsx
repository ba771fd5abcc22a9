import type { NewApiKey } from '@parley/client/server';
import { useOrganization } from '../../api/parley.js';
import { CodeBlock } from '../../parts/code-block.js';
import { ShownOnceDialog } from '../../parts/shown-once.js';
import { trialOf } from './trial-request.js';

/** The one time that a key is shown, with a request that proves that it works. */
export function NewKeyDialog({
  made,
  onDone,
}: {
  readonly made: NewApiKey;
  readonly onDone: () => void;
}) {
  const { id } = useOrganization();
  const snippets = trialOf({
    origin: location.origin,
    organizationId: id,
    scopes: made.scopes,
  });
  return (
    <ShownOnceDialog
      title="Store the new key now"
      description={
        <>
          <bdi>{made.name}</bdi> works at once. Parley keeps only a hash of the key, so nobody can
          show it to you again.
        </>
      }
      what="API key"
      secret={made.apiKey}
      onDone={onDone}
    >
      <div>
        <p>Put it into your environment as PARLEY_API_KEY, then try it:</p>
      </div>
      <CodeBlock label="A request with the new key" snippets={snippets} />
    </ShownOnceDialog>
  );
}

import type { NewApiKey } from '@parley/client/server';
import { useOrganization } from '../../api/parley.js';
import { CodeBlock } from '../../parts/code-block.js';
import { ShownOnceDialog } from '../../parts/shown-once.js';
import { trialOf } from './trial-request.js';

/** Shows a new key, once, with a request that verifies it. */
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
          <bdi>{made.name}</bdi> works immediately. Parley stores only a hash of the key, so it
          cannot be shown again.
        </>
      }
      what="API key"
      secret={made.apiKey}
      onDone={onDone}
    >
      <div>
        <p>Set it as PARLEY_API_KEY in your environment, then try it:</p>
      </div>
      <CodeBlock label="A request with the new key" snippets={snippets} />
    </ShownOnceDialog>
  );
}

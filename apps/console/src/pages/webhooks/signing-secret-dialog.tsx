import { CodeBlock } from '../../parts/code-block.js';
import { ShownOnceDialog } from '../../parts/shown-once.js';

const check = `import { verifyWebhook } from '@parley/client/server';

const event = await verifyWebhook({
  headers: request.headers,
  body: rawBody,
  secret: process.env.PARLEY_WEBHOOK_SECRET,
});`;

/** Shows a webhook's secret, once, with the code that verifies requests with it. */
export function SigningSecretDialog({
  secret,
  replaced,
  onDone,
}: {
  readonly secret: string;
  readonly replaced: boolean;
  readonly onDone: () => void;
}) {
  return (
    <ShownOnceDialog
      title="Store the signing secret now"
      description={
        replaced
          ? 'Requests are now signed with this secret, and fail verification until you use it. It is not shown again.'
          : 'Use it to verify that requests come from Parley. It is not shown again, but you can replace it.'
      }
      what="signing secret"
      secret={secret}
      onDone={onDone}
    >
      <p>Set it as PARLEY_WEBHOOK_SECRET in your environment, and verify each request:</p>
      <CodeBlock
        label="Code that verifies a request"
        snippets={[{ language: 'TypeScript', code: check }]}
      />
    </ShownOnceDialog>
  );
}

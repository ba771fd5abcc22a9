import { CodeBlock } from '../../parts/code-block.js';
import { ShownOnceDialog } from '../../parts/shown-once.js';

const check = `import { verifyWebhook } from '@parley/client/server';

const event = await verifyWebhook({
  headers: request.headers,
  body: rawBody,
  secret: process.env.PARLEY_WEBHOOK_SECRET,
});`;

/** The one time that a webhook's secret is shown, with the code that checks a request by it. */
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
          ? 'Requests are signed with this one from now on, and fail your checks until you use it. It is not shown again.'
          : 'With it you know that a request is Parley’s. It is not shown again, but can be replaced.'
      }
      what="signing secret"
      secret={secret}
      onDone={onDone}
    >
      <p>Put it into your environment as PARLEY_WEBHOOK_SECRET and check each request:</p>
      <CodeBlock
        label="How a request is checked"
        snippets={[{ language: 'TypeScript', code: check }]}
      />
    </ShownOnceDialog>
  );
}

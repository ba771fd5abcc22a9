import { ArrowLeft, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/page.js';
import { sameJson } from '../../parts/changes.js';
import { secretNamesAfter } from './agent-draft.js';
import { errorsWithin, type FieldErrors } from './field-errors.js';
import { own, parseObject, prettyJson, textOf, type Json } from './json.js';
import { JsonPane } from './json-pane.js';
import { ServerToolsCard } from './server-tools.js';
import { ToolFields } from './tool-fields.js';
import { formOf, inOrder, toolOf, type ToolForm } from './tool-form.js';
import { kindLabels } from './tool-summary.js';
import type { ToolsTabProps } from './tools-tab.js';
import { TryTool } from './try-tool.js';
import styles from './tool-editor.module.css';

type ToolEditorProps = ToolsTabProps & {
  readonly index: number;
  readonly tool: Json;
  readonly onClose: () => void;
  readonly onRemove: () => void;
};

/** The form and the JSON of one tool, kept in sync. */
export function ToolEditor(props: ToolEditorProps) {
  const { state, edit, errors, readOnly, index, tool } = props;
  const change = (next: Json) =>
    edit.set({ tools: edit.value.tools.map((other, at) => (at === index ? next : other)) });
  const { held, changeForm, changeText, mend } = useHeldTool(tool, change);
  const own = errorsWithin(errors, `/tools/${index}`);
  const broken = held.message !== undefined;
  const saved = isSaved(tool, state.agent.tools, edit.value.secrets);
  return (
    <div className={styles.editor}>
      <ToolHead {...props} name={held.form.name} />
      <div className={styles.sides}>
        <Card>
          <fieldset className={styles.fields} disabled={readOnly || broken}>
            <ToolFields
              form={held.form}
              errors={own}
              secretNames={secretNamesAfter(state.agent.secretNames, edit.value.secrets)}
              agentId={state.agent.id}
              readOnly={readOnly || broken}
              onChange={changeForm}
              onSecret={(name, secret) =>
                edit.set({ secrets: { ...edit.value.secrets, [name]: secret } })
              }
            />
          </fieldset>
        </Card>
        <div className={styles.aside}>
          <JsonPane
            text={held.text}
            message={held.message}
            errors={leftOver(own)}
            readOnly={readOnly}
            onChange={changeText}
            onMend={mend}
          />
          {tool.kind === 'mcp' && (
            <ServerToolsCard
              state={state}
              name={held.form.name}
              saved={saved}
              readOnly={readOnly || broken}
              allowedTools={held.form.allowedTools}
              onAllow={(allowedTools) => changeForm({ allowedTools })}
            />
          )}
        </div>
      </div>
      <TryTool
        key={textOf(tool.kind)}
        state={state}
        tool={tool}
        saved={saved}
        readOnly={readOnly}
        onSave={props.onSave}
      />
    </div>
  );
}

function ToolHead({
  name,
  tool,
  readOnly,
  onClose,
  onRemove,
}: ToolEditorProps & { readonly name: string }) {
  const kind = textOf(tool.kind) ?? '';
  return (
    <div className={styles.head}>
      <Button small look="ghost" onClick={onClose}>
        <ArrowLeft size={14} aria-hidden="true" /> All tools
      </Button>
      <h2 className={styles.title}>
        <bdi>{name === '' ? 'New tool' : name}</bdi>
      </h2>
      <Badge plain>{own(kindLabels, kind) ?? 'Unknown kind'}</Badge>
      <span className={styles.space} />
      {!readOnly && (
        <Button small look="quietDanger" onClick={onRemove}>
          <Trash2 size={14} aria-hidden="true" /> Remove tool
        </Button>
      )}
    </div>
  );
}

type HeldTool = {
  readonly tool: Json;
  readonly form: ToolForm;
  readonly text: string;
  /** The error in the JSON. Until it is fixed, the form keeps its values. */
  readonly message: string | undefined;
};

function useHeldTool(tool: Json, onChange: (tool: Json) => void) {
  const [held, setHeld] = useState(() => heldOf(tool));
  if (!sameJson(held.tool, tool)) setHeld(heldOf(tool));
  return {
    held,
    changeForm: (changes: Partial<ToolForm>) => {
      const form = { ...held.form, ...changes };
      const next = toolOf(form);
      setHeld({ tool: next, form, text: prettyJson(next), message: undefined });
      onChange(next);
    },
    changeText: (text: string) => {
      const parsed = parseObject(text);
      if (!parsed.ok) {
        setHeld({ ...held, text, message: parsed.message });
        return;
      }
      setHeld({ tool: parsed.value, form: formOf(parsed.value), text, message: undefined });
      onChange(parsed.value);
    },
    mend: () => setHeld(heldOf(tool)),
  };
}

function heldOf(tool: Json): HeldTool {
  return { tool, form: formOf(tool), text: prettyJson(inOrder(tool)), message: undefined };
}

/** A tool is tried in its saved state, with the saved secrets. */
function isSaved(
  tool: Json,
  stored: readonly Json[],
  secrets: Readonly<Record<string, string | null>>,
): boolean {
  return Object.keys(secrets).length === 0 && stored.some((other) => sameJson(other, tool));
}

const withFields = new Set(
  'name description title url method headers body parameters serverUrl agentId timeoutSeconds imageUrl button approvers allowedTools approvalPolicy'.split(
    ' ',
  ),
);

/** The errors that no field of the form shows. */
function leftOver(errors: FieldErrors): FieldErrors {
  return new Map([...errors].filter(([path]) => !withFields.has(path.split('/')[1] ?? '')));
}

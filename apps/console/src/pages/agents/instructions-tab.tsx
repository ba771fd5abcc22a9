import { ChevronDown } from 'lucide-react';
import { Button } from '../../parts/button.js';
import { Field, TextAreaField, TextField } from '../../parts/fields.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { Card } from '../../parts/page.js';
import { countOf, countText } from '../../parts/words.js';
import { tokenEstimate } from './agent-draft.js';
import type { SectionProps } from './agent-editor.js';
import { passages, withPassage } from './starters.js';
import styles from './sections.module.css';

const maxInstructions = 100_000;

export function InstructionsTab({ edit, errors, readOnly }: SectionProps) {
  const { value, set } = edit;
  return (
    <fieldset className={styles.sections} disabled={readOnly}>
      <Card>
        <Field
          label="Instructions"
          help="The agent follows them in every conversation. Open sessions keep the instructions they started with."
          error={errors.get('/systemMessage')}
        >
          {(wiring) => (
            <textarea
              {...wiring}
              className={styles.instructions}
              dir="auto"
              rows={22}
              value={value.systemMessage}
              placeholder="Who the agent is, what it helps with, how it talks, and what it leaves to people."
              onChange={(event) => set({ systemMessage: event.target.value })}
            />
          )}
        </Field>
        <div className={styles.foot}>
          <span className={value.systemMessage.length > maxInstructions ? styles.over : undefined}>
            {countText(value.systemMessage.length)} of {countText(maxInstructions)} characters,
            about {countOf(tokenEstimate(value.systemMessage), 'token')}
          </span>
          <Menu
            trigger={
              <Button small disabled={readOnly}>
                Insert a passage <ChevronDown size={14} aria-hidden="true" />
              </Button>
            }
          >
            {passages.map(({ title, text }) => (
              <MenuItem
                key={title}
                onSelect={() => set({ systemMessage: withPassage(value.systemMessage, text) })}
              >
                {title}
              </MenuItem>
            ))}
          </Menu>
        </div>
      </Card>
      <Identity edit={edit} errors={errors} />
    </fieldset>
  );
}

/** How people and clients identify the agent. */
function Identity({ edit, errors }: Pick<SectionProps, 'edit' | 'errors'>) {
  const { value, set } = edit;
  return (
    <Card title="Identity">
      <TextField
        label="Name"
        value={value.name}
        maxLength={200}
        autoComplete="off"
        error={errors.get('/name')}
        onChange={(name) => set({ name })}
      />
      <TextAreaField
        label="Description"
        help="For your team. The model does not see it."
        rows={2}
        value={value.description}
        error={errors.get('/description')}
        onChange={(description) => set({ description })}
      />
      <div className={styles.columns}>
        <TextField
          label="Icon"
          help="The name of an icon that your clients know."
          value={value.icon ?? ''}
          maxLength={100}
          error={errors.get('/icon')}
          onChange={(icon) => set({ icon: orNull(icon) })}
        />
        <TextField
          label="Icon colour"
          help="In the format your clients use, such as #3a4fd0."
          value={value.iconColor ?? ''}
          maxLength={50}
          error={errors.get('/iconColor')}
          onChange={(iconColor) => set({ iconColor: orNull(iconColor) })}
        />
        <TextField
          label="Image URL"
          help="An image that your clients show."
          type="url"
          value={value.imageUrl ?? ''}
          error={errors.get('/imageUrl')}
          onChange={(imageUrl) => set({ imageUrl: orNull(imageUrl) })}
        />
      </div>
    </Card>
  );
}

function orNull(text: string): string | null {
  return text === '' ? null : text;
}

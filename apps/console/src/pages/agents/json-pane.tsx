import { Button } from '../../parts/button.js';
import { TextAreaField } from '../../parts/fields.js';
import { Card } from '../../parts/page.js';
import type { FieldErrors } from './field-errors.js';
import styles from './json-pane.module.css';

/** The JSON next to a form. */
export function JsonPane({
  text,
  message,
  errors,
  readOnly,
  onChange,
  onMend,
}: {
  readonly text: string;
  readonly message: string | undefined;
  readonly errors: FieldErrors;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  readonly onMend: () => void;
}) {
  return (
    <div className={styles.pane}>
      <Card>
        {errors.size > 0 && (
          <ul className={styles.errors} role="alert">
            {[...errors].map(([path, wrong]) => (
              <li key={path}>
                <code>{path === '' ? 'The tool' : path}</code> {wrong}
              </li>
            ))}
          </ul>
        )}
        <TextAreaField
          label="JSON"
          help="In the API’s format. Edit either side; the other follows."
          mono
          rows={Math.min(26, Math.max(16, text.split('\n').length + 1))}
          value={text}
          disabled={readOnly}
          error={message}
          onChange={onChange}
        />
        {message !== undefined && (
          <div className={styles.mend} role="status">
            <span>The form keeps its values until the JSON is valid.</span>
            <Button small onClick={onMend}>
              Reset to the form’s JSON
            </Button>
          </div>
        )}
      </Card>
    </div>
  );
}

import { SelectField } from '../../parts/fields.js';
import { HeaderFields } from './header-fields.js';
import { ParameterFields } from './parameter-fields.js';
import { TemplateField } from './template-field.js';
import type { ToolFieldsProps } from './tool-fields.js';
import { methods } from './tool-form.js';
import styles from './tool-fields.module.css';

const methodOptions = methods.map((method) => ({ value: method, label: method }));

/** The request of an HTTP tool. */
export function HttpFields(props: ToolFieldsProps) {
  const { form, errors, secretNames, onChange } = props;
  const args = form.parameters.map(({ name }) => name).filter((name) => name !== '');
  const references = [...args, ...secretNames.map((name) => `secret:${name}`)];
  const takesBody = form.method !== 'GET' && form.method !== 'DELETE';
  return (
    <>
      <div className={styles.request}>
        <SelectField
          label="Method"
          value={form.method}
          options={methodOptions}
          error={errors.get('/method')}
          onChange={(method) => onChange({ method })}
        />
        <TemplateField
          label="URL"
          help="{{name}} inserts an argument, after the host. Type {{ to choose one."
          placeholder="https://shop.example.com/orders/{{number}}"
          names={args}
          value={form.url}
          error={errors.get('/url')}
          onChange={(url) => onChange({ url })}
        />
      </div>
      <ParameterFields {...props} />
      <HeaderFields {...props} references={references} />
      {(takesBody || form.body !== '') && (
        <TemplateField
          label="Body"
          help="Leave it empty to send the arguments as JSON. {{name}} and {{secret:NAME}} are replaced."
          rows={4}
          names={references}
          value={form.body}
          error={errors.get('/body')}
          onChange={(body) => onChange({ body })}
        />
      )}
    </>
  );
}

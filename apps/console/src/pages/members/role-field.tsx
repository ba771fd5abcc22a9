import { useId } from 'react';
import { roles, type Role } from '../../api/account.js';
import { roleTexts } from './roles.js';
import styles from './members.module.css';

export function RoleField({
  value,
  error,
  onChange,
}: {
  readonly value: Role;
  readonly error: string | undefined;
  readonly onChange: (role: Role) => void;
}) {
  const name = useId();
  return (
    <fieldset>
      <legend className={styles.legend}>Role</legend>
      <div className={styles.choices}>
        {roles.map((role) => (
          <label key={role} className={styles.choice}>
            <input
              type="radio"
              name={name}
              checked={role === value}
              onChange={() => onChange(role)}
            />
            <div>
              {roleTexts[role].label}
              <span>{roleTexts[role].does}</span>
            </div>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

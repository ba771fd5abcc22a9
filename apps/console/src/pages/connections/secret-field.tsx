import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/fields.js';
import styles from './connections.module.css';

type SecretFieldProps = {
  readonly stored: boolean;
  /** The change would send the secret to another host, so the service drops it. */
  readonly dropped: boolean;
  /** Undefined keeps the stored secret; null removes it. */
  readonly value: string | null | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: string | null | undefined) => void;
};

/** A write-only secret: the stored value can be replaced or removed, but not read. */
export function SecretField({ stored, dropped, value, error, onChange }: SecretFieldProps) {
  if (stored && (value === undefined || value === null))
    return (
      <div className={styles.secret}>
        <span className={styles.label}>Secret</span>
        <div className={styles.stored}>
          <span>{value === null ? 'Removed when you save' : 'Stored, encrypted'}</span>
          <Button small onClick={() => onChange('')}>
            Replace
          </Button>
          {value === null ? (
            <Button small onClick={() => onChange(undefined)}>
              Keep it
            </Button>
          ) : (
            <Button small onClick={() => onChange(null)}>
              Remove
            </Button>
          )}
        </div>
        {dropped && (
          <p className={styles.warning} role="status">
            The new address is on another host, so the stored secret is dropped when you save. Enter
            the secret for that host.
          </p>
        )}
      </div>
    );
  return (
    <div className={styles.secret}>
      <TextField
        label={stored ? 'New secret' : 'Secret'}
        type="password"
        mono
        autoComplete="off"
        help="The provider’s API key: encrypted, and never shown again."
        value={value ?? ''}
        error={error}
        onChange={onChange}
      />
      {stored && (
        <div>
          <Button small onClick={() => onChange(undefined)}>
            Keep the stored one
          </Button>
        </div>
      )}
    </div>
  );
}

import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';

type Look = 'primary' | 'secondary' | 'ghost' | 'danger' | 'quietDanger';

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: Look;
  readonly small?: boolean;
  /** While its action is in progress, it cannot be pressed again. */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
};

/** The class of a button, for links that look like one. */
export function buttonClass(look: Look = 'secondary', small = false): string {
  return [styles.button, styles[look], small && styles.small].filter(Boolean).join(' ');
}

export function Button({ look = 'secondary', small = false, busy = false, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={[buttonClass(look, small), rest.className].filter(Boolean).join(' ')}
      disabled={rest.disabled === true || busy}
      aria-busy={busy}
    />
  );
}

type IconButtonProps = Omit<ButtonProps, 'children'> & {
  /** What it does: for screen readers, and as a tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
};

export function IconButton({ label, icon, look = 'ghost', className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      look={look}
      className={[styles.icon, className].filter(Boolean).join(' ')}
      aria-label={label}
      title={label}
    >
      {icon}
    </Button>
  );
}

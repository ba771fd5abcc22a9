export const appNames = [
  'api',
  'realtime-gateway',
  'worker',
  'provider-simulator',
  'standalone',
  'admin',
] as const;

export type AppName = (typeof appNames)[number];

type Common = {
  /** One sentence for the README's table. */
  readonly doc: string;
  /** The apps that read it. */
  readonly apps: readonly AppName[];
  /** The apps that do not start without it. */
  readonly requiredIn?: readonly AppName[];
  /** What happens without a value, if there is no default. */
  readonly unset?: string;
  /** Other settings that this one requires to have any effect. */
  readonly needs?: string | readonly string[];
  /** Its value is never shown. */
  readonly secret?: true;
};

type IntegerSetting = Common & {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default?: number;
};

type BooleanSetting = Common & {
  readonly kind: 'boolean';
  readonly default?: boolean;
};

type StringSetting = Common & {
  readonly kind: 'string';
  readonly minLength?: number;
  readonly shape?: { readonly pattern: RegExp; readonly accepts: string };
  readonly default?: string;
};

type EnumSetting = Common & {
  readonly kind: 'enum';
  readonly values: readonly string[];
  /** Values accepted by earlier versions, and what they mean now. */
  readonly formerly?: Readonly<Record<string, string>>;
  readonly default?: string;
};

type UrlSetting = Common & {
  readonly kind: 'url';
  readonly schemes: readonly string[];
  /** A comma-separated list is accepted, too; it stays one string. */
  readonly several?: true;
  /** Paths are appended to it: no query, no fragment, and a trailing slash is dropped. */
  readonly base?: true;
  readonly default?: string;
};

type ListSetting = Common & {
  readonly kind: 'list';
  /** The only items accepted; an empty list is then refused. */
  readonly values?: readonly string[];
  readonly item?: { readonly pattern: RegExp; readonly accepts: string };
  readonly default?: readonly string[];
};

type Base64KeySetting = Common & {
  readonly kind: 'base64Key';
  readonly bytes: number;
  readonly default?: never;
};

export type Setting =
  | IntegerSetting
  | BooleanSetting
  | StringSetting
  | EnumSetting
  | UrlSetting
  | ListSetting
  | Base64KeySetting;

/** The type of a row's parsed value. A key stays base64 text, because bytes cannot be frozen. */
export type ValueOf<Row extends Setting> = Row extends { kind: 'integer' }
  ? number
  : Row extends { kind: 'boolean' }
    ? boolean
    : Row extends { kind: 'enum'; values: readonly (infer Value)[] }
      ? Value
      : Row extends { kind: 'list'; values: readonly (infer Item)[] }
        ? readonly Item[]
        : Row extends { kind: 'list' }
          ? readonly string[]
          : string;

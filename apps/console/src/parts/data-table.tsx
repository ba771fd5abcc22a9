import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.js';
import { FailureState } from './failure-note.js';
import { Skeleton } from './page.js';
import { rangeText } from './words.js';
import styles from './data-table.module.css';

export type Column<Row> = {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Aligns numbers to the right. */
  readonly number?: boolean;
  /** A word or two that do not wrap. */
  readonly short?: boolean;
  /** Hidden on a phone. */
  readonly minor?: boolean;
  /** The heading is only for screen readers: a column of buttons. */
  readonly quiet?: boolean;
};

export type Paging = {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  readonly onMove: (offset: number) => void;
};

type DataTableProps<Row> = {
  /** What the table lists, for screen readers: "API keys". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Whether clicking anywhere in a row follows the link in its first cell. */
  readonly leads?: boolean;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  readonly empty: ReactNode;
  readonly paging?: Paging | undefined;
};

/** A list with its states: loading, failed, empty, loaded. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, leads = false, error, onRetry, empty, paging } = props;
  if (rows === undefined && error !== null && error !== undefined)
    return (
      <div className={styles.frame}>
        <FailureState error={error} onRetry={onRetry} />
      </div>
    );
  if (rows?.length === 0 && (paging?.offset ?? 0) === 0)
    return <div className={styles.frame}>{empty}</div>;
  return (
    <div className={styles.frame}>
      <div className={styles.scroll} tabIndex={-1}>
        <table className={styles.table} aria-label={label} aria-busy={rows === undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.name} scope="col" className={classOf(column)}>
                  {column.quiet === true ? (
                    <span className="visually-hidden">{column.name}</span>
                  ) : (
                    column.name
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined
              ? waiting(columns)
              : rows.map((row) => (
                  <tr key={props.rowKey(row)} className={leads ? styles.leads : undefined}>
                    {columns.map((column, at) => (
                      <td
                        key={column.name}
                        className={[classOf(column), at === 0 && styles.lead]
                          .filter(Boolean)
                          .join(' ')}
                      >
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
          </tbody>
        </table>
      </div>
      {paging && <Pager {...paging} />}
    </div>
  );
}

function classOf({
  number,
  short,
  minor,
}: Pick<Column<never>, 'number' | 'short' | 'minor'>): string {
  return [
    number === true && styles.number,
    short === true && styles.short,
    minor === true && styles.minor,
  ]
    .filter(Boolean)
    .join(' ');
}

const waitingRows = [0, 1, 2, 3, 4];

function waiting<Row>(columns: readonly Column<Row>[]): ReactNode {
  return waitingRows.map((row) => (
    <tr key={row}>
      {columns.map((column, at) => (
        <td key={column.name} className={classOf(column)}>
          <Skeleton width={at === 0 ? '60%' : '40%'} />
        </td>
      ))}
    </tr>
  ));
}

function Pager({ total, offset, limit, onMove }: Paging) {
  if (total <= limit && offset === 0) return null;
  return (
    <nav className={styles.foot} aria-label="Pages">
      <span>{rangeText({ total, offset, limit })}</span>
      <div>
        <Button small disabled={offset === 0} onClick={() => onMove(Math.max(0, offset - limit))}>
          <ChevronLeft size={14} /> Previous
        </Button>
        <Button small disabled={offset + limit >= total} onClick={() => onMove(offset + limit)}>
          Next <ChevronRight size={14} />
        </Button>
      </div>
    </nav>
  );
}

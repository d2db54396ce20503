/**
 * A table with rows that can be selected and expanded. In a narrow space each row is a block whose
 * cells have their column's title.
 */
import { Fragment, type ReactNode, useId, useState } from "react";
import { classes } from "./classes.ts";
import { VisuallyHidden } from "./hidden.tsx";
import { Icon } from "./icon.tsx";
import styles from "./table.module.css";
import * as texts from "./text.ts";

export interface TableColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether the column has only the menu of a row. Its title is for screen readers. */
  readonly isActions?: boolean;
}

export interface TableSelection {
  /** Keys of the selected rows. */
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Returns the name of a row, which labels its checkbox. */
  readonly nameOf: (row: Row) => string;
  /** The first column holds the names, and the buttons of rows that expand. */
  readonly columns: readonly [TableColumn<Row>, ...TableColumn<Row>[]];
  readonly selection?: TableSelection;
  /** The content of an expanded row. Absent: rows do not expand. */
  readonly detailOf?: (row: Row) => ReactNode;
}

export const Table = <Row,>(props: TableProps<Row>) => {
  const { label, rows, keyOf, columns, selection } = props;
  return (
    <div className={styles.frame}>
      <table aria-label={label} className={styles.table}>
        <thead>
          <tr>
            {selection === undefined ? undefined : (
              <th scope="col" className={styles.pick}>
                <SelectAll keys={rows.map(keyOf)} selection={selection} />
              </th>
            )}
            {columns.map(({ title, isActions = false }) => (
              <th key={title} scope="col" className={classes(isActions && styles.actions)}>
                {isActions ? <VisuallyHidden>{title}</VisuallyHidden> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} table={props} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface SelectAllProps {
  readonly keys: readonly string[];
  readonly selection: TableSelection;
}

const SelectAll = ({ keys, selection }: SelectAllProps) => {
  const count = keys.filter((key) => selection.keys.has(key)).length;
  const isEveryRowSelected = count > 0 && count === keys.length;
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        checked={isEveryRowSelected}
        ref={(box) => {
          if (box !== null) box.indeterminate = count > 0 && !isEveryRowSelected;
        }}
        onChange={() => selection.onChange(new Set(isEveryRowSelected ? [] : keys))}
      />
      <span className={styles.all}>{texts.selectAll}</span>
    </label>
  );
};

interface TableRowProps<Row> {
  readonly row: Row;
  readonly table: TableProps<Row>;
}

const TableRow = <Row,>({ row, table }: TableRowProps<Row>) => {
  const { keyOf, nameOf, columns, selection, detailOf } = table;
  const [firstColumn, ...otherColumns] = columns;
  const [isOpen, setOpen] = useState(false);
  const detailId = useId();
  const key = keyOf(row);
  const isSelected = selection?.keys.has(key) === true;
  return (
    <Fragment>
      <tr className={classes(isSelected && styles.selected)}>
        {selection === undefined ? undefined : (
          <td className={styles.pick}>
            <label className={styles.box}>
              <input
                type="checkbox"
                checked={isSelected}
                onChange={() => selection.onChange(toggleKey(selection.keys, key))}
              />
              <VisuallyHidden>{texts.select(nameOf(row))}</VisuallyHidden>
            </label>
          </td>
        )}
        <td className={styles.first}>
          {detailOf === undefined ? (
            firstColumn.cell(row)
          ) : (
            <button
              type="button"
              className={styles.unfold}
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailId : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              <span className={classes(styles.chevron, isOpen && styles.open)}>
                <Icon name="chevron" />
              </span>
              <span className={styles.text}>{firstColumn.cell(row)}</span>
            </button>
          )}
        </td>
        {otherColumns.map(({ title, cell, isActions = false }) =>
          isActions ? (
            <td key={title} className={styles.actions}>
              {cell(row)}
            </td>
          ) : (
            <td key={title} data-title={title}>
              {cell(row)}
            </td>
          ),
        )}
      </tr>
      {isOpen && detailOf !== undefined ? (
        <tr className={styles.detail}>
          <td id={detailId} colSpan={columns.length + (selection === undefined ? 0 : 1)}>
            {detailOf(row)}
          </td>
        </tr>
      ) : undefined}
    </Fragment>
  );
};

/** Returns the keys with `key` added, or without it if it was present. */
export const toggleKey = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const newKeys = new Set(keys);
  if (!newKeys.delete(key)) newKeys.add(key);
  return newKeys;
};

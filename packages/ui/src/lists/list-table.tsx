/**
 * A list of records as a table: a search, filters, and changes of several rows. The address of the page contains
 * the search and the filters, so that they survive a reload and can be shared.
 */
import { observe } from "@hearth/client";
import { type ReactNode, useState } from "react";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { EmptyState } from "../design/empty-state.tsx";
import { FilterBar } from "../design/filter-bar.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import type { IconName } from "../design/icon.tsx";
import { Menu, MenuItem } from "../design/menu.tsx";
import { Table, type TableColumn } from "../design/table.tsx";
import { useFilters } from "../house/filters.ts";
import { type ListFilter, findMatchingRows } from "./matching.ts";
import { type Bulk, useBulk } from "./use-bulk.ts";
import styles from "./lists.module.css";
import * as texts from "./text.ts";

/** A change of the selected rows. */
export interface BulkChange<Row> {
  /** Unique in the list. */
  readonly id: string;
  /** The label in the menu of a row. */
  readonly label: string;
  readonly icon: IconName;
  /** The label of the button for several rows. It names the number of rows. */
  readonly title: (count: number) => string;
  /** Asks before the change. The text may depend on the rows. */
  readonly confirm?: {
    readonly title: (count: number) => string;
    readonly text: string | ((rows: readonly Row[]) => string);
  };
  readonly isDanger?: boolean;
  /** Whether a row can be changed. Absent: each row can. */
  readonly applies?: (row: Row) => boolean;
  readonly run: (row: Row) => Promise<unknown>;
  /** Announces the number of changed rows. Absent: `run` announces its result. */
  readonly done?: (count: number) => string;
}

/** An entry in the menu of a row that changes no other row, such as one that opens a form. */
export interface RowChoice<Row> {
  /** Unique in the list. */
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** Whether a row has the entry. Absent: each row has it. */
  readonly applies?: (row: Row) => boolean;
  readonly onChoose: (row: Row) => void;
}

export interface ListTableProps<Row> {
  /** The name of the list, such as "Agents". */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  readonly columns: readonly [TableColumn<Row>, ...TableColumn<Row>[]];
  readonly detailOf?: (row: Row) => ReactNode;
  readonly filters?: readonly ListFilter<Row>[];
  /** Returns the text of a row that the search finds. Absent: there is no search. */
  readonly searchText?: (row: Row) => string;
  /** Entries in the menu of each row, before the changes. */
  readonly choices?: readonly RowChoice<Row>[];
  readonly changes?: readonly BulkChange<Row>[];
  /** Called after a change of several rows. */
  readonly onChanged?: () => void;
  /** Shown instead of an empty list. */
  readonly empty: ReactNode;
}

/** The name of the search in the address. */
const SEARCH_NAME = "q";
/** A shorter list fits on the screen. It shows neither a search nor filters, unless one is in use. */
export const MIN_FILTERED_ROWS = 4;

export const ListTable = <Row,>(props: ListTableProps<Row>) => {
  const { label, rows, keyOf, nameOf, columns, detailOf, filters = [], searchText, empty } = props;
  const { choices = [], changes = [] } = props;
  const names = [...(searchText === undefined ? [] : [SEARCH_NAME]), ...filters.map(({ name }) => name)];
  const { values, set, clear } = useFilters(names);
  const shownRows = findMatchingRows(rows, { filters, values, search: values[SEARCH_NAME] ?? "", searchText });
  const isFiltered = Object.values(values).some((value) => value !== "");
  const { keys, setKeys, bulk, openRequest, choose, run, cancel } = useChanges(keyOf, props.onChanged);
  if (rows.length === 0 && !isFiltered) return empty;
  const rowActions: TableColumn<Row> = {
    title: texts.changes,
    isActions: true,
    cell: (row) => <RowActions row={row} name={nameOf(row)} choices={choices} changes={changes} onChoose={choose} />,
  };
  return (
    <>
      {(isFiltered || rows.length >= MIN_FILTERED_ROWS) && names.length > 0 ? (
        <FilterBar
          label={texts.filtersOf(label)}
          {...(searchText === undefined ? {} : { search: { name: SEARCH_NAME, label: texts.search } })}
          values={values}
          onChange={set}
          onClear={clear}
          filters={filters}
        />
      ) : undefined}
      <SelectedRows
        label={label}
        // Rows that a filter hides are not changed.
        selectedRows={shownRows.filter((row) => keys.has(keyOf(row)))}
        changes={changes}
        isBusy={bulk.isBusy}
        onChoose={choose}
      />
      {bulk.error === undefined ? undefined : <ErrorNotice error={bulk.error} />}
      {shownRows.length === 0 ? (
        <EmptyState icon="search" title={texts.noMatches}>
          <Button size="small" onClick={clear}>
            {texts.clearFilters}
          </Button>
        </EmptyState>
      ) : (
        <Table
          label={label}
          rows={shownRows}
          keyOf={keyOf}
          nameOf={nameOf}
          columns={changes.length + choices.length === 0 ? columns : [...columns, rowActions]}
          {...(changes.length === 0 ? {} : { selection: { keys, onChange: setKeys } })}
          {...(detailOf === undefined ? {} : { detailOf })}
        />
      )}
      {openRequest === undefined ? undefined : (
        <ConfirmChange openRequest={openRequest} onConfirm={() => run(openRequest)} onClose={cancel} />
      )}
    </>
  );
};

interface ChangeRequest<Row> {
  readonly change: BulkChange<Row>;
  readonly rows: readonly Row[];
}

interface Changes<Row> {
  /** The keys of the selected rows. */
  readonly keys: ReadonlySet<string>;
  readonly setKeys: (keys: ReadonlySet<string>) => void;
  readonly bulk: Bulk<Row>;
  /** The change that waits for a confirmation, and its rows. */
  readonly openRequest: ChangeRequest<Row> | undefined;
  /** Runs a change, or asks first if the change needs a confirmation. */
  readonly choose: (request: ChangeRequest<Row>) => void;
  /** Runs a change without a confirmation. */
  readonly run: (request: ChangeRequest<Row>) => void;
  /** Drops the change that waits for a confirmation. */
  readonly cancel: () => void;
}

/** Returns the selected rows and the changes of them. After a change, the rows that failed are selected. */
const useChanges = <Row,>(keyOf: (row: Row) => string, onChanged: (() => void) | undefined): Changes<Row> => {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const [openRequest, setOpenRequest] = useState<ChangeRequest<Row>>();
  const bulk = useBulk<Row>();
  const change = async (request: ChangeRequest<Row>): Promise<void> => {
    setOpenRequest(undefined);
    const failedRows = await bulk.run(request.rows, request.change.run, request.change.done);
    setKeys(new Set(failedRows.map(keyOf)));
    onChanged?.();
  };
  const run = (request: ChangeRequest<Row>): void => observe(change(request));
  return {
    keys,
    setKeys,
    bulk,
    openRequest,
    choose(request) {
      if (request.change.confirm === undefined) run(request);
      else setOpenRequest(request);
    },
    run,
    cancel: () => setOpenRequest(undefined),
  };
};

interface ConfirmChangeProps<Row> {
  readonly openRequest: ChangeRequest<Row>;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const ConfirmChange = <Row,>({ openRequest: { change, rows }, onConfirm, onClose }: ConfirmChangeProps<Row>) =>
  change.confirm === undefined ? undefined : (
    <ConfirmDialog
      title={change.confirm.title(rows.length)}
      text={typeof change.confirm.text === "string" ? change.confirm.text : change.confirm.text(rows)}
      confirm={change.title(rows.length)}
      isDanger={change.isDanger === true}
      isOpen
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );

interface SelectedRowsProps<Row> {
  readonly label: string;
  readonly selectedRows: readonly Row[];
  readonly changes: readonly BulkChange<Row>[];
  readonly isBusy: boolean;
  readonly onChoose: (request: ChangeRequest<Row>) => void;
}

/** Buttons that change the selected rows. Each names the number of rows that it changes. */
const SelectedRows = <Row,>({ label, selectedRows, changes, isBusy, onChoose }: SelectedRowsProps<Row>) =>
  selectedRows.length === 0 ? undefined : (
    <div role="group" aria-label={texts.selectedOf(label)} className={styles.bulk}>
      <span>{texts.selectedCount(selectedRows.length)}</span>
      {changes.map((change) => {
        const rows = selectedRows.filter(change.applies ?? (() => true));
        return rows.length === 0 ? undefined : (
          <Button
            key={change.id}
            size="small"
            kind={change.isDanger === true ? "danger" : "plain"}
            isBusy={isBusy}
            onClick={() => onChoose({ change, rows })}
          >
            {change.title(rows.length)}
          </Button>
        );
      })}
    </div>
  );

interface RowActionsProps<Row> {
  readonly row: Row;
  readonly name: string;
  readonly choices: readonly RowChoice<Row>[];
  readonly changes: readonly BulkChange<Row>[];
  readonly onChoose: (request: ChangeRequest<Row>) => void;
}

/** The choices and changes of one row, in a menu. */
const RowActions = <Row,>({ row, name, choices, changes, onChoose }: RowActionsProps<Row>) => {
  const availableChoices = choices.filter(({ applies = () => true }) => applies(row));
  const availableChanges = changes.filter(({ applies = () => true }) => applies(row));
  return availableChoices.length + availableChanges.length === 0 ? undefined : (
    <Menu label={texts.changesOf(name)} icon="more">
      {availableChoices.map(({ id, label, icon, onChoose: choose }) => (
        <MenuItem key={id} icon={icon} onChoose={() => choose(row)}>
          {label}
        </MenuItem>
      ))}
      {availableChanges.map((change) => (
        <MenuItem
          key={change.id}
          icon={change.icon}
          isDanger={change.isDanger === true}
          onChoose={() => onChoose({ change, rows: [row] })}
        >
          {change.label}
        </MenuItem>
      ))}
    </Menu>
  );
};

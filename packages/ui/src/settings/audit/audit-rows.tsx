/** The table of the audit log: one row for each act, which expands to all of its facts. */
import { observe } from "@hearth/client";
import type { AuditRow, HouseRecord } from "@hearth/protocol";
import { useMemo } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Table, type TableColumn } from "../../design/table.tsx";
import { RequestView } from "../../house/request-view.tsx";
import { formatFull, Time } from "../../house/time.tsx";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { type AuditFilterValues, toAuditFilter } from "./audit-filters.ts";
import { describeAct, describeActor, describeCredential, describeFacts, type Names } from "./audit-words.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";
import { type AuditRows as Rows, useAuditRows } from "./use-audit-rows.ts";

export interface AuditRowsProps {
  readonly house: HouseRecord;
  readonly values: AuditFilterValues;
}

export const AuditRows = ({ house, values }: AuditRowsProps) => {
  const announce = useAnnounce();
  const { kind, person, agent, from, to } = values;
  const filter = useMemo(() => toAuditFilter({ kind, person, agent, from, to }), [kind, person, agent, from, to]);
  const { request, olderSubmission, loadOlder } = useAuditRows(house.id, filter);
  const { value } = request;
  return (
    <>
      <RequestView request={request}>{(page) => <AuditTable page={page} />}</RequestView>
      {olderSubmission.error === undefined ? undefined : <ErrorNotice error={olderSubmission.error} />}
      {value?.next === undefined ? undefined : (
        <div className={styles.buttons}>
          <Button
            isBusy={olderSubmission.isBusy}
            onClick={() => observe(loadOlder().then(() => announce(texts.olderLoaded)))}
          >
            {value.rows.length === 0 ? texts.searchOlder : texts.showOlder}
          </Button>
        </div>
      )}
    </>
  );
};

export const AuditTable = ({ page: { rows, next } }: { readonly page: Rows }) => {
  const names = useNamesOfRecords();
  const titleOf = (row: AuditRow): string => toVisible(describeAct(row, names));
  const columns: readonly [TableColumn<AuditRow>, ...TableColumn<AuditRow>[]] = [
    { title: texts.act, cell: titleOf },
    { title: texts.who, cell: (row) => <Actor row={row} names={names} /> },
    { title: texts.time, cell: ({ at }) => <Time at={at} style="date-time" /> },
  ];
  if (rows.length === 0) return <p className={styles.quiet}>{next === undefined ? texts.noRows : texts.noRowsYet}</p>;
  return (
    <Table
      label={texts.rows}
      rows={rows}
      keyOf={({ offset }) => String(offset)}
      nameOf={titleOf}
      columns={columns}
      detailOf={(row) => <RowDetail row={row} names={names} />}
    />
  );
};

interface RowProps {
  readonly row: AuditRow;
  readonly names: Names;
}

const Actor = ({ row, names }: RowProps) => {
  const credential = describeCredential(row);
  return (
    <span className={styles.about}>
      <span>{toVisible(describeActor(row, names))}</span>
      {credential === undefined ? undefined : <span className={styles.quiet}>{credential}</span>}
    </span>
  );
};

const RowDetail = ({ row, names }: RowProps) => {
  const lines = [
    { name: texts.row, value: String(row.offset) },
    { name: texts.time, value: formatFull(row.at) },
    { name: texts.type, value: row.type },
    ...describeFacts(row, names, formatFull),
    { name: texts.seal, value: row.seal ?? texts.noSeal },
  ];
  return (
    <dl className={styles.facts}>
      {lines.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{toVisible(value)}</dd>
        </div>
      ))}
    </dl>
  );
};

/** Returns the current names of agents, people, rooms and houses. */
const useNamesOfRecords = (): Names => {
  const { agents, rooms, houses } = useHouse();
  return {
    agent: (id) => [...agents.values()].find((agent) => agent.id === id)?.content.name ?? texts.formerMember,
    place: (id) =>
      houses.find((house) => house.id === id)?.content.name ??
      rooms.find(({ room }) => room.id === id)?.room.content.name ??
      texts.removedPlace,
  };
};

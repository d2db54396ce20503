/** A table of usage by agent, model, room or kind. A row expands to its days. */
import { showMoney, tokensOf, type UsageDimension, type UsageGroup, type UsageSum } from "@hearth/protocol";
import { Table, type TableColumn } from "../../design/table.tsx";
import pieces from "../settings.module.css";
import { dimensions, type ShownDimension } from "./usage-filters.tsx";
import { showCount, showEstimate } from "./usage-words.ts";
import styles from "./usage.module.css";
import * as texts from "./text.ts";

export interface NamedGroup extends UsageGroup {
  readonly title: string;
}

export interface UsageTableProps {
  readonly rows: readonly NamedGroup[];
  readonly by: UsageDimension;
}

export const UsageTable = ({ rows, by }: UsageTableProps) => {
  const dimension = dimensions[by as ShownDimension];
  return (
    <Table
      label={texts.tableLabel(dimension)}
      rows={rows}
      keyOf={({ of = "" }) => of}
      nameOf={({ title }) => title}
      columns={[{ title: dimension, cell: ({ title }) => title }, ...columnsOf<NamedGroup>(({ total }) => total)]}
      detailOf={(row) => <Days row={row} />}
    />
  );
};

const Days = ({ row: { title, days, total } }: { readonly row: NamedGroup }) => {
  const estimate = showEstimate(total);
  return (
    <>
      {estimate === undefined ? undefined : <p className={pieces.quiet}>{texts.estimatedPart(estimate)}</p>}
      <Table
        label={texts.daysOf(title)}
        rows={days.toReversed()}
        keyOf={({ day }) => day}
        nameOf={({ day }) => day}
        columns={[
          { title: texts.day, cell: ({ day }) => <span className={styles.number}>{day}</span> },
          ...columnsOf<(typeof days)[number]>(({ sum }) => sum),
        ]}
      />
    </>
  );
};

const columnsOf = <Row,>(sumOf: (row: Row) => UsageSum): readonly TableColumn<Row>[] => {
  const column = (title: string, show: (sum: UsageSum) => string): TableColumn<Row> => ({
    title,
    cell: (row) => <span className={styles.number}>{show(sumOf(row))}</span>,
  });
  return [
    column(texts.measures.cost, ({ money }) => showMoney(money)),
    column(texts.measures.tokens, (sum) => showCount(tokensOf(sum))),
    column(texts.tokensIn, (sum) => showCount(tokensOf(sum) - sum.outputTokens)),
    column(texts.fromCache, ({ cacheReadTokens }) => showCount(cacheReadTokens)),
    column(texts.tokensOut, ({ outputTokens }) => showCount(outputTokens)),
    column(texts.calls, ({ calls }) => showCount(calls)),
  ];
};

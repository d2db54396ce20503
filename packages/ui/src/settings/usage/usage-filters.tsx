/** The filters of the usage report. Their values are in the address of the page. */
import type { UsageDimension, UsageReport } from "@hearth/protocol";
import { FilterBar } from "../../design/filter-bar.tsx";
import { type Filters, useFilters } from "../../house/filters.ts";
import { roomTitle } from "../../house/room-title.ts";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import type { Measure } from "./usage-words.ts";
import * as texts from "./text.ts";

const names = ["period", "by", "agent", "room", "measure"] as const;
export type UsageFilters = Filters<(typeof names)[number]>;

const PERIOD_DAYS: Readonly<Record<string, number>> = { today: 1, "7": 7, "90": 90 };
const DEFAULT_DAYS = 30;

export const dimensions = { agent: texts.agent, model: texts.model, room: texts.room, kind: texts.kind } as const;
export type ShownDimension = keyof typeof dimensions;

export const useUsageFilters = (): UsageFilters => useFilters(names);

export interface UsageQuery {
  readonly days: number;
  readonly by: ShownDimension;
  readonly agent?: string;
  readonly room?: string;
}

/** Returns the query of the report. An unknown value in the address counts as absent. */
export const toQuery = ({ values }: UsageFilters): UsageQuery => ({
  days: PERIOD_DAYS[values.period] ?? DEFAULT_DAYS,
  by: isDimension(values.by) ? values.by : "agent",
  ...(values.agent === "" ? {} : { agent: values.agent }),
  ...(values.room === "" ? {} : { room: values.room }),
});

const isDimension = (word: string): word is Exclude<ShownDimension, "agent"> =>
  (["model", "room", "kind"] satisfies UsageDimension[] as string[]).includes(word);

/** Without a choice, the chart shows the cost, or the tokens if nothing has a price. */
export const measureOf = ({ values }: UsageFilters, report: UsageReport | undefined): Measure => {
  if (values.measure === "cost" || values.measure === "tokens") return values.measure;
  return report === undefined || report.total.money > 0 ? "cost" : "tokens";
};

export interface UsageFilterBarProps {
  readonly filters: UsageFilters;
  readonly report: UsageReport | undefined;
}

export const UsageFilterBar = ({ filters, report }: UsageFilterBarProps) => {
  const { agents, rooms } = useHouse();
  const { values, set, clear } = filters;
  const defaultMeasure = measureOf({ ...filters, values: { ...values, measure: "" } }, report);
  const otherMeasure = defaultMeasure === "cost" ? "tokens" : "cost";
  return (
    <FilterBar
      label={texts.filters}
      values={values}
      onChange={set}
      onClear={clear}
      filters={[
        {
          name: "period",
          label: texts.period,
          all: texts.days30,
          options: [
            { value: "today", title: texts.today },
            { value: "7", title: texts.days7 },
            { value: "90", title: texts.days90 },
          ],
        },
        {
          name: "by",
          label: texts.groupBy,
          all: texts.agent,
          options: [
            { value: "model", title: texts.model },
            { value: "room", title: texts.room },
            { value: "kind", title: texts.kind },
          ],
        },
        {
          name: "agent",
          label: texts.agent,
          all: texts.all,
          options: [...agents.values()]
            .filter(({ content }) => content.kind === "bot")
            .map(({ handle, content }) => ({ value: handle, title: toVisible(content.name) })),
        },
        {
          name: "room",
          label: texts.room,
          all: texts.all,
          options: rooms.map(({ room }) => ({ value: room.id, title: roomTitle(room) })),
        },
        {
          name: "measure",
          label: texts.measure,
          all: texts.measures[defaultMeasure],
          options: [{ value: otherMeasure, title: texts.measures[otherMeasure] }],
        },
      ]}
    />
  );
};

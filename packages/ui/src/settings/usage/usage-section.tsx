/** The usage of models and its cost: filters, a chart per day, and a table with the same numbers. */
import { showMoney, tokensOf, type UsageReport } from "@hearth/protocol";
import { useCallback, useMemo } from "react";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { roomTitle } from "../../house/room-title.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { Section } from "../form/section.tsx";
import pieces from "../settings.module.css";
import { measureOf, toQuery, UsageFilterBar, type UsageFilters, useUsageFilters } from "./usage-filters.tsx";
import { UsageTable } from "./usage-table.tsx";
import { nameOfGroup, seriesOf, showCount, showEstimate } from "./usage-words.ts";
import styles from "./usage.module.css";
import * as texts from "./text.ts";

const UsageChart = createLazyPart({
  load: async () => (await import("./usage-chart.tsx")).UsageChart,
  Fallback: () => <div className={styles.chart} role="status" aria-label={texts.loadingChart} />,
});

/** Refresh interval while the page is visible. */
const POLL_INTERVAL_MS = 30_000;

export const UsageSection = () => {
  const { client } = useUi();
  const filters = useUsageFilters();
  const { days, by, agent = "", room = "" } = toQuery(filters);
  const requestUsage = useCallback(
    () => client.usage({ days, by, ...(agent && { agent }), ...(room && { room }) }),
    [client, days, by, agent, room],
  );
  const request = useRequest(requestUsage);
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <Section title={texts.usage} text={texts.usageIntroduction}>
      <UsageFilterBar filters={filters} report={request.value} />
      <RequestView request={request}>{(report) => <UsageView report={report} filters={filters} />}</RequestView>
    </Section>
  );
};

export interface UsageViewProps {
  readonly report: UsageReport;
  readonly filters: UsageFilters;
}

export const UsageView = ({ report, filters }: UsageViewProps) => {
  const { rooms } = useHouse();
  const { by, total, groups, more: hiddenCount } = report;
  const roomNames = useMemo(() => new Map(rooms.map(({ room }) => [room.id as string, roomTitle(room)])), [rooms]);
  if (total.calls === 0)
    return (
      <div className={pieces.about}>
        <p className={pieces.name}>{texts.noUsage}</p>
        <p className={pieces.quiet}>{texts.noUsageDetail}</p>
      </div>
    );
  const measure = measureOf(filters, report);
  const rows = groups.map((group) => ({ ...group, title: nameOfGroup(group, by, roomNames) }));
  const series = seriesOf(report, measure, (group) => nameOfGroup(group, by, roomNames));
  const estimate = showEstimate(total);
  return (
    <>
      <p className={styles.total}>{describeTotal(report)}</p>
      {estimate === undefined ? undefined : <p className={pieces.quiet}>{texts.estimatedPart(estimate)}</p>}
      <UsageChart report={report} series={series} measure={measure} />
      <ul className={styles.legend}>
        {series.map(({ name }, index) => (
          <li key={name}>
            <span className={styles.swatch} data-series={index + 1} aria-hidden="true" />
            {name}
          </li>
        ))}
      </ul>
      <UsageTable rows={rows} by={by} />
      {hiddenCount === 0 ? undefined : <p className={pieces.quiet}>{texts.notListed(hiddenCount)}</p>}
    </>
  );
};

const describeTotal = ({ total }: UsageReport): string => {
  const tokens = tokensOf(total);
  return texts.usageOf(
    showMoney(total.money),
    texts.tokenCount(tokens, showCount(tokens)),
    texts.callCount(total.calls, showCount(total.calls)),
  );
};

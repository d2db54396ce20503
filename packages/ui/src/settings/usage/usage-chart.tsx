/** A chart of usage per day, with stacked series. Its colours are those of the legend. */
import type { UsageReport } from "@hearth/protocol";
import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from "chart.js";
import { useEffect, useRef } from "react";
import { useTheme } from "../../house/theme.ts";
import { dimensions, type ShownDimension } from "./usage-filters.tsx";
import { daysOf, type Measure, type Series, showShort, showValue } from "./usage-words.ts";
import styles from "./usage.module.css";
import * as texts from "./text.ts";

export interface UsageChartProps {
  readonly report: UsageReport;
  readonly series: readonly Series[];
  readonly measure: Measure;
}

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

export const UsageChart = ({ report, series, measure }: UsageChartProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { theme } = useTheme();
  useEffect(() => {
    if (canvas.current === null) return;
    const element = canvas.current;
    const darkScheme = matchMedia("(prefers-color-scheme: dark)");
    let chart = draw(element, { report, series, measure });
    const redraw = (): void => {
      chart.destroy();
      chart = draw(element, { report, series, measure });
    };
    darkScheme.addEventListener("change", redraw);
    return () => {
      darkScheme.removeEventListener("change", redraw);
      chart.destroy();
    };
    // `theme` is a dependency, because another theme has other colours.
  }, [report, series, measure, theme]);
  return (
    <div className={styles.chart}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={texts.chart(texts.measures[measure], dimensions[report.by as ShownDimension])}
      />
    </div>
  );
};

const draw = (canvas: HTMLCanvasElement, { report, series, measure }: UsageChartProps): Chart => {
  const { textColour, lineColour, colours } = readColours(canvas, series.length);
  const ticks = { color: textColour, maxRotation: 0, autoSkipPadding: 16 };
  return new Chart(canvas, {
    type: "bar",
    data: {
      labels: daysOf(report).map(showDay),
      datasets: series.map(({ name, values }, index) => ({
        label: name,
        data: [...values],
        backgroundColor: colours[index],
        maxBarThickness: 48,
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      scales: {
        x: { stacked: true, ticks, grid: { display: false }, border: { color: lineColour } },
        y: {
          stacked: true,
          beginAtZero: true,
          ticks: { ...ticks, maxTicksLimit: 5, callback: (value) => showShort(Number(value), measure) },
          grid: { color: lineColour },
          border: { display: false },
        },
      },
      plugins: {
        tooltip: {
          filter: ({ parsed }) => parsed.y !== 0,
          callbacks: {
            label: ({ dataset, parsed }) => ` ${dataset.label ?? ""}: ${showValue(parsed.y ?? 0, measure)}`,
          },
        },
      },
    },
  });
};

/** Reads the colours of the theme from elements that have them, because a canvas knows no variables. */
const readColours = (canvas: HTMLCanvasElement, count: number) => {
  const probe = canvas.ownerDocument.createElement("span");
  probe.className = styles.swatch ?? "";
  probe.hidden = true;
  canvas.after(probe);
  const style = getComputedStyle(probe);
  const colours = Array.from({ length: count }, (_, index) => {
    probe.dataset["series"] = String(index + 1);
    return style.backgroundColor;
  });
  const colors = { textColour: style.color, lineColour: style.borderBlockStartColor, colours };
  probe.remove();
  return colors;
};

const showDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString("en", { month: "short", day: "numeric", timeZone: "UTC" });

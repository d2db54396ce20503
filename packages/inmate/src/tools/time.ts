/** Returns the date and time in a zone. */
import { HearthError } from "@hearth/protocol";
import { quotePath } from "./path.ts";
import { type RunTool, success } from "./tool.ts";

export const time: RunTool<"time"> = async ({ zone = "UTC" }, { clock }) => {
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(clock.now())
      .map((part) => [part.type, part.value]),
  );
  const { weekday, year, month, day, hour, minute, second, timeZoneName } = parts;
  return success(`${weekday} ${year}-${month}-${day} ${hour}:${minute}:${second} ${zone} (${timeZoneName})`);
};

const formatFor = (zone: string): Intl.DateTimeFormat => {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "long",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
      timeZoneName: "longOffset",
    });
  } catch {
    throw new HearthError("tool.invalid", `There is no time zone ${quotePath(zone)}.`, {
      hint: "Use an IANA name such as `America/New_York`, or `UTC`.",
    });
  }
};

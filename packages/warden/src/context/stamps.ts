/** Instants as people read them, in a zone. */

export type Stamp = (at: number) => string;

/** Minutes whose text is kept per zone. A history is written out anew for every activation, and formatting is slow. */
const MAX_KEPT = 2000;

/** "Sat 2026-11-21 09:50 Europe/Berlin". A formatter is costly to make and is kept per zone. */
export const createStamps = (): ((zone: string) => Stamp) => {
  const stamps = new Map<string, Stamp>();
  return (zone) => {
    const known = stamps.get(zone);
    if (known !== undefined) return known;
    const format = new Intl.DateTimeFormat("en", {
      timeZone: zone,
      weekday: "short",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    const minutes = new Map<number, string>();
    const write = (at: number): string => {
      const part = Object.fromEntries(format.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
      return `${part["weekday"]} ${part["year"]}-${part["month"]}-${part["day"]} ${part["hour"]}:${part["minute"]} ${zone}`;
    };
    const stamp: Stamp = (at) => {
      const minute = Math.floor(at / 60_000);
      const kept = minutes.get(minute);
      if (kept !== undefined) return kept;
      if (minutes.size >= MAX_KEPT) minutes.clear();
      const text = write(at);
      minutes.set(minute, text);
      return text;
    };
    stamps.set(zone, stamp);
    return stamp;
  };
};

/**
 * Decides whether a button has been still long enough for a press to be intentional. A button that
 * just appeared or moved may be under a finger that was aimed at something else. Pure.
 */

/** How long a button must not have moved. People need about this time from seeing a button to pressing it. */
export const STEADY_MS = 500;
/** A gap of this length between two frames means that the page was hidden. */
const MAX_FRAME_GAP_MS = 1000;

export interface Steadiness {
  /** Reports the current place. Called on every frame. */
  report(place: string, at: number): void;
  /** Reports the current place, and returns whether it has been the same for `STEADY_MS`. */
  isSteady(place: string, at: number): boolean;
}

export const createSteadiness = (): Steadiness => {
  let lastReport: { readonly place: string; readonly at: number } | undefined;
  let steadySince = 0;
  const report = (place: string, at: number): void => {
    if (lastReport?.place !== place || at - lastReport.at >= MAX_FRAME_GAP_MS) steadySince = at;
    lastReport = { place, at };
  };
  return {
    report,
    isSteady(place, at) {
      report(place, at);
      return at - steadySince >= STEADY_MS;
    },
  };
};

/**
 * Decides whether a button has been still long enough for a press to be intentional. A button that
 * just appeared or moved may be under a finger that was aimed at something else. Pure.
 */

/** How long a button must not have moved. People need about this time from seeing a button to pressing it. */
export const STEADY_MS = 500;
/** A gap of this length between two frames means that the page was hidden. */
const AWAY_MS = 1000;

export interface Steadiness {
  /** Reports the current place. Called on every frame. */
  look(place: string, at: number): void;
  /** Reports the current place, and returns whether it has been the same for `STEADY_MS`. */
  isSteady(place: string, at: number): boolean;
}

export const createSteadiness = (): Steadiness => {
  let last: { readonly place: string; readonly at: number } | undefined;
  let since = 0;
  const look = (place: string, at: number): void => {
    if (last?.place !== place || at - last.at >= AWAY_MS) since = at;
    last = { place, at };
  };
  return {
    look,
    isSteady(place, at) {
      look(place, at);
      return at - since >= STEADY_MS;
    },
  };
};

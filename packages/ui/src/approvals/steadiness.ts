/**
 * Whether something has stood where it is for long enough that a press on it was meant for it. What has just come, has moved, or was
 * out of sight until now may lie where another thing lay when the finger set out. Pure.
 */

/** About as long as a person takes from seeing to pressing. */
export const STEADY_MS = 500;
/** Frames are much closer than this while a page is looked at. */
const AWAY_MS = 1000;

export interface Steadiness {
  /** It stands at this place now. Told again and again. */
  look(place: string, at: number): void;
  /** Looks once more. */
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

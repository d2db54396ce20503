/** Leaves of a source map what says lines. The runtime keeps a map in memory from the first error on, with some twenty bytes for each place in it. */

/** A map as bundlers write it, and what of it is kept. */
interface SourceMap {
  readonly version: number;
  readonly sources: readonly string[];
  /** Separated by `;` for each line of the program and by `,` for each place in it: what has changed since the place before, five bits a digit. */
  readonly mappings: string;
}

/**
 * The same map with one place for each stretch that comes from one line of one source: every place of the program still leads to its source and line,
 * and to the column where that line's stretch begins. The texts of the sources are left out.
 */
export const thinToLines = (text: string): string => {
  const { version, sources, mappings } = JSON.parse(text) as SourceMap;
  // The runtime refuses a map that says nothing of texts. It reads them where they lie.
  const sourcesContent = sources.map(() => null);
  return JSON.stringify({ version, sources, sourcesContent, names: [], mappings: thin(mappings) });
};

const thin = (mappings: string): string => {
  // Columns of the program begin anew on each of its lines; all else goes on from the place before.
  const read = { source: 0, line: 0, column: 0 };
  const kept = { source: 0, line: 0, column: 0 };
  const thinLine = (places: string): string => {
    let at = 0;
    let keptAt = 0;
    let known = false;
    let out = "";
    for (const place of places.split(",")) {
      const [ahead = 0, source, line = 0, column = 0] = decode(place);
      at += ahead;
      // A place that comes from no source.
      if (source === undefined) continue;
      read.source += source;
      read.line += line;
      read.column += column;
      if (known && read.source === kept.source && read.line === kept.line) continue;
      const changes = [at - keptAt, read.source - kept.source, read.line - kept.line, read.column - kept.column];
      out += `${known ? "," : ""}${changes.map(encode).join("")}`;
      Object.assign(kept, read);
      keptAt = at;
      known = true;
    }
    return out;
  };
  return mappings.split(";").map(thinLine).join(";");
};

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BITS = 5;
/** In a digit: another one follows. */
const MORE = 1 << BITS;

const decode = (place: string): readonly number[] => {
  const numbers: number[] = [];
  let number = 0;
  let shift = 0;
  for (const character of place) {
    const digit = DIGITS.indexOf(character);
    number |= (digit & (MORE - 1)) << shift;
    shift += BITS;
    if ((digit & MORE) !== 0) continue;
    // The lowest bit is the sign.
    numbers.push((number & 1) === 1 ? -(number >> 1) : number >> 1);
    number = 0;
    shift = 0;
  }
  return numbers;
};

const encode = (number: number): string => {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let out = "";
  do {
    const digit = rest & (MORE - 1);
    rest >>= BITS;
    out += DIGITS.charAt(rest === 0 ? digit : digit | MORE);
  } while (rest > 0);
  return out;
};

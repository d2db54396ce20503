/**
 * Reduces a source map to lines. Bun keeps a map in memory after the first error, about 20 bytes
 * per mapping.
 */

/** The fields of a source map that are kept. */
interface SourceMap {
  readonly version: number;
  readonly sources: readonly string[];
  /**
   * Base64 VLQ: `;` separates lines of the program, `,` separates mappings; numbers are relative.
   */
  readonly mappings: string;
}

/**
 * Returns the map with one mapping per run of code from one source line. Every position still maps
 * to its source and line, and to the column where the run begins. Leaves out source texts.
 */
export const thinToLines = (text: string): string => {
  const { version, sources, mappings } = JSON.parse(text) as SourceMap;
  // Bun refuses a map without `sourcesContent`. With nulls, it reads the source files.
  const sourcesContent = sources.map(() => null);
  return JSON.stringify({ version, sources, sourcesContent, names: [], mappings: thin(mappings) });
};

const thin = (mappings: string): string => {
  // Generated columns are relative within a line. The other numbers are relative to the previous mapping.
  const read = { source: 0, line: 0, column: 0 };
  const position = { source: 0, line: 0, column: 0 };
  const thinLine = (places: string): string => {
    let at = 0;
    let keptAt = 0;
    let known = false;
    let out = "";
    for (const place of places.split(",")) {
      const [ahead = 0, source, line = 0, column = 0] = decode(place);
      at += ahead;
      // A mapping without a source is left out.
      if (source === undefined) continue;
      read.source += source;
      read.line += line;
      read.column += column;
      if (known && read.source === position.source && read.line === position.line) continue;
      const changes = [
        at - keptAt,
        read.source - position.source,
        read.line - position.line,
        read.column - position.column,
      ];
      out += `${known ? "," : ""}${changes.map(encode).join("")}`;
      Object.assign(position, read);
      keptAt = at;
      known = true;
    }
    return out;
  };
  return mappings.split(";").map(thinLine).join(";");
};

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BITS = 5;
/** The bit of a digit that is set if another digit follows. */
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

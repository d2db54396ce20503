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
  const absolute = { source: 0, line: 0, column: 0 };
  const position = { source: 0, line: 0, column: 0 };
  const thinLine = (segments: string): string => {
    let generatedColumn = 0;
    let writtenColumn = 0;
    let hasMapping = false;
    let output = "";
    for (const segment of segments.split(",")) {
      const [columnDelta = 0, source, line = 0, column = 0] = decode(segment);
      generatedColumn += columnDelta;
      // A mapping without a source is left out.
      if (source === undefined) continue;
      absolute.source += source;
      absolute.line += line;
      absolute.column += column;
      if (hasMapping && absolute.source === position.source && absolute.line === position.line) continue;
      const changes = [
        generatedColumn - writtenColumn,
        absolute.source - position.source,
        absolute.line - position.line,
        absolute.column - position.column,
      ];
      output += `${hasMapping ? "," : ""}${changes.map(encode).join("")}`;
      Object.assign(position, absolute);
      writtenColumn = generatedColumn;
      hasMapping = true;
    }
    return output;
  };
  return mappings.split(";").map(thinLine).join(";");
};

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BITS = 5;
/** The bit of a digit that is set if another digit follows. */
const CONTINUATION_BIT = 1 << BITS;

const decode = (segment: string): readonly number[] => {
  const numbers: number[] = [];
  let number = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    number |= (digit & (CONTINUATION_BIT - 1)) << shift;
    shift += BITS;
    if ((digit & CONTINUATION_BIT) !== 0) continue;
    // The lowest bit is the sign.
    numbers.push((number & 1) === 1 ? -(number >> 1) : number >> 1);
    number = 0;
    shift = 0;
  }
  return numbers;
};

const encode = (number: number): string => {
  let remainingBits = number < 0 ? (-number << 1) | 1 : number << 1;
  let output = "";
  do {
    const digit = remainingBits & (CONTINUATION_BIT - 1);
    remainingBits >>= BITS;
    output += DIGITS.charAt(remainingBits === 0 ? digit : digit | CONTINUATION_BIT);
  } while (remainingBits > 0);
  return output;
};

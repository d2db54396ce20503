/** Writes WebAssembly modules, with the instructions that loops over memory with 128-bit vectors need. */

/** Instructions of a function body, as bytes. */
export type Code = readonly number[];

export interface WasmFunction {
  readonly name: string;
  /** Number of parameters, all 32-bit integers, numbered from 0. Functions return nothing. */
  readonly parameters: number;
  /** Local variables, numbered after the parameters: integers first, then vectors. */
  readonly integers: number;
  readonly vectors: number;
  readonly body: Code;
}

const I32 = 0x7f;
const V128 = 0x7b;
const FUNCTION = 0x60;
const VOID_TYPE = 0x40;
const END = 0x0b;

/** Encodes a number as unsigned LEB128. */
const leb = (value: number): Code => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]);
/** Encodes a number as signed LEB128. Bit 6 of the last byte is the sign. */
const signedLeb = (value: number): Code =>
  value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signedLeb(value >> 7)];
const encodeVector = (items: readonly Code[]): Code => [...leb(items.length), ...items.flat()];
const withLength = (code: Code): Code => [...leb(code.length), ...code];
const encodeName = (name: string): Code => withLength([...new TextEncoder().encode(name)]);
const section = (id: number, code: Code): Code => [id, ...withLength(code)];

/** Writes a module that imports its memory as `host.memory`. */
export const writeModule = (functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> => {
  const types = functions.map(({ parameters }): Code => [FUNCTION, ...encodeVector(Array(parameters).fill([I32])), 0]);
  const bodies = functions.map(({ integers, vectors, body }) =>
    withLength([
      ...encodeVector([
        [...leb(integers), I32],
        [...leb(vectors), V128],
      ]),
      ...body,
      END,
    ]),
  );
  const memory: Code = [...encodeName("host"), ...encodeName("memory"), 2, 0, 1];
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, encodeVector(types)),
    ...section(2, encodeVector([memory])),
    ...section(3, encodeVector(functions.map((_, index) => leb(index)))),
    ...section(7, encodeVector(functions.map(({ name }, index) => [...encodeName(name), 0, ...leb(index)]))),
    ...section(10, encodeVector(bodies)),
  );
};

const simd = (operator: number, ...operands: Code): Code => [0xfd, ...leb(operator), ...operands];

export const getLocal = (local: number): Code => [0x20, ...leb(local)];
export const setLocal = (local: number, value: Code): Code => [...value, 0x21, ...leb(local)];
export const constant = (value: number): Code => [0x41, ...signedLeb(value)];
export const add = (left: Code, right: Code): Code => [...left, ...right, 0x6a];
export const multiply = (left: Code, right: Code): Code => [...left, ...right, 0x6c];
/** Results in 1 if `left` is at most `right`, and otherwise in 0. */
export const atMost = (left: Code, right: Code): Code => [...left, ...right, 0x4c];
export const shiftLeft = (left: Code, by: number): Code => [...left, ...constant(by), 0x74];
export const load8 = (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...leb(offset)];
/** Loads a 16-bit number with sign extension. */
export const load16 = (address: Code, offset = 0): Code => [...address, 0x2e, 1, ...leb(offset)];
export const load32 = (address: Code): Code => [...address, 0x28, 2, 0];
/** Computes the Hamming distance of two 64-bit numbers in memory. */
export const hammingDistance64 = (left: Code, right: Code, offset: number): Code => [
  ...[...left, 0x29, 0, ...leb(offset)],
  ...[...right, 0x29, 0, ...leb(offset)],
  ...[0x85, 0x7b, 0xa7],
];
/** Runs the body, and repeats it while `condition` is not zero. */
export const repeat = (body: Code, condition: Code): Code => [0x03, VOID_TYPE, ...body, ...condition, 0x0d, 0, END];
export const store32 = (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0];

export const load128 = (address: Code, offset = 0): Code => [...address, ...simd(0, 0, ...leb(offset))];
export const zeros: Code = [...constant(0), ...simd(0x11)];
export const addLanes32 = (left: Code, right: Code): Code => [...left, ...right, ...simd(0xae)];
/** Sign-extends the lower or upper eight bytes to 16 bits. */
export const widenLow = (value: Code): Code => [...value, ...simd(0x87)];
export const widenHigh = (value: Code): Code => [...value, ...simd(0x88)];
/** Zero-extends the lower or upper eight bytes to 16 bits. */
export const widenLowUnsigned = (value: Code): Code => [...value, ...simd(0x89)];
export const widenHighUnsigned = (value: Code): Code => [...value, ...simd(0x8a)];
const lanes = (byte: number): Code => simd(0x0c, ...Array<number>(16).fill(byte));
/** Returns the low or high four bits of each byte. */
export const lowNibbles = (value: Code): Code => [...value, ...lanes(0x0f), ...simd(0x4e)];
export const highNibbles = (value: Code): Code => lowNibbles([...value, ...constant(4), ...simd(0x8d)]);
/** Multiplies 16-bit lanes and adds neighbouring products to 32 bits. */
export const dotPairs = (left: Code, right: Code): Code => [...left, ...right, ...simd(0xba)];
/** Adds all four 32-bit lanes. */
export const sumLanes = (local: number): Code =>
  [0, 1, 2, 3].map((lane): Code => [...getLocal(local), ...simd(0x1b, lane)]).reduce((sum, lane) => add(sum, lane));

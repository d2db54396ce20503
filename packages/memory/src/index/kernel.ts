/**
 * The inner loops over all vectors, in WebAssembly: products of 16-bit with 8-bit or 4-bit numbers,
 * and Hamming distances.
 */
import {
  add,
  addLanes32,
  atMost,
  type Code,
  constant,
  hammingDistance64,
  dotPairs,
  getLocal,
  load128,
  load16,
  load32,
  load8,
  lowNibbles,
  multiply,
  repeat,
  setLocal,
  shiftLeft,
  store32,
  sumLanes,
  highNibbles,
  type WasmFunction,
  widenHigh,
  widenHighUnsigned,
  widenLow,
  widenLowUnsigned,
  writeModule,
  zeros,
} from "./wasm.ts";

export interface KernelSizes {
  /** Numbers per vector, a positive multiple of 32. */
  readonly vector: number;
  /** Bytes per signature, a positive multiple of 16. */
  readonly signature: number;
}

/** All arguments are addresses in the shared memory or sizes. `count` must be at least 1. */
export interface Kernel {
  /**
   * Writes a 32-bit product for each of `count` vectors, which are `stride` bytes apart. The
   * question has 16 bits per number.
   */
  dot(query: number, data: number, count: number, out: number, stride: number): void;
  /**
   * Like `dot`, for 4-bit vectors in the format of `coarse.ts`, with numbers from 0 to 15, at the
   * `count` addresses at `places`.
   */
  dotHalves(query: number, places: number, count: number, out: number): void;
  /** Writes the Hamming distance of each of `count` signatures. */
  differ(query: number, data: number, count: number, out: number, stride: number): void;
  /**
   * Writes the addresses of consecutive signatures within Hamming distance `maxDistance`, and the
   * end of that list to `end`.
   */
  within(query: number, data: number, count: number, out: number, maxDistance: number, end: number): void;
  /**
   * For each signature at the `count` addresses at `places`: writes the sum, over its bytes, of the
   * entry for that byte in `table`, which has 256 16-bit numbers per position.
   */
  weigh(table: number, places: number, count: number, out: number): void;
}

/** Entries per signature byte in the table of `weigh`. */
export const TABLE_ENTRIES = 256;
const ENTRY_BITS = 1;

export const createKernel = (memory: WebAssembly.Memory, { vector, signature }: KernelSizes): Kernel => {
  const functions = [
    dotLoop(vector),
    dotHalvesLoop(vector),
    differLoop(signature),
    withinLoop(signature),
    weighLoop(signature),
  ];
  const compiled = new WebAssembly.Module(writeModule(functions));
  // `functions` has the names and parameters of `Kernel`.
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as unknown as Kernel;
};

const LANE_BYTES = 16;
/** Numbers per lane, with 8 and with 4 bits each. */
const BYTE_NUMBERS = 16;
const HALF_NUMBERS = 32;
const LONG_BYTES = 8;
const RESULT_BYTES = 4;

/** Returns an unrolled sum, which takes half the time of a loop. */
const sum = (steps: number, into: number, step: (lane: number) => Code): Code => [
  ...setLocal(into, zeros),
  ...Array.from({ length: steps }, (_, lane) => setLocal(into, addLanes32(getLocal(into), step(lane)))).flat(),
];

const forward = (local: number, by: Code): Code => setLocal(local, add(getLocal(local), by));

/** Multiplies 8-bit numbers at `data` with 16-bit numbers at `query`. */
const product = (query: number, data: Code, loaded: number, lane: number): Code => [
  ...setLocal(loaded, load128(data, lane * LANE_BYTES)),
  ...addLanes32(
    dotPairs(load128(getLocal(query), 2 * lane * LANE_BYTES), widenLow(getLocal(loaded))),
    dotPairs(load128(getLocal(query), (2 * lane + 1) * LANE_BYTES), widenHigh(getLocal(loaded))),
  ),
];

/** Multiplies 4-bit numbers, 32 per 16 bytes at `data`, with 16-bit numbers at `query`. */
const productOfNibbles = (query: number, data: Code, [loaded, half]: readonly [number, number], lane: number): Code => {
  const queryLane = (index: number): Code => load128(getLocal(query), (4 * lane + index) * LANE_BYTES);
  const pairs = (first: number): Code =>
    addLanes32(
      dotPairs(queryLane(first), widenLowUnsigned(getLocal(half))),
      dotPairs(queryLane(first + 1), widenHighUnsigned(getLocal(half))),
    );
  return [
    ...setLocal(loaded, load128(data, lane * LANE_BYTES)),
    ...addLanes32(
      [...setLocal(half, lowNibbles(getLocal(loaded))), ...pairs(0)],
      [...setLocal(half, highNibbles(getLocal(loaded))), ...pairs(2)],
    ),
  ];
};

/** Counts bits 64 at a time: there is an instruction for 64-bit integers, but none for vectors. */
const hammingDistance = (query: number, data: number, size: number): Code =>
  Array.from({ length: size / LONG_BYTES }, (_, at) =>
    hammingDistance64(getLocal(query), getLocal(data), at * LONG_BYTES),
  ).reduce(add);

const [QUERY, DATA, COUNT, OUT, STRIDE] = [0, 1, 2, 3, 4] as const;

/** Local variables after the parameters: integers first, then vectors. */
interface Locals {
  readonly parameters: number;
  readonly integers?: number;
  readonly vectors: number;
}

/** Repeats `body` `count` times. */
const loop = (name: string, { parameters, integers = 0, vectors }: Locals, body: Code): WasmFunction => ({
  name,
  parameters,
  integers,
  vectors,
  body: repeat([...body, ...forward(COUNT, constant(-1))], getLocal(COUNT)),
});

/** A loop with one result per element and a configurable stride. */
const stridedLoop = (
  name: string,
  vectors: number,
  answer: { readonly before?: Code; readonly value: Code },
): WasmFunction =>
  loop(name, { parameters: 5, vectors }, [
    ...(answer.before ?? []),
    ...store32(getLocal(OUT), answer.value),
    ...forward(OUT, constant(RESULT_BYTES)),
    ...forward(DATA, getLocal(STRIDE)),
  ]);

const dotLoop = (numbers: number): WasmFunction => {
  const [total, loaded] = [5, 6];
  const before = sum(numbers / BYTE_NUMBERS, total, (lane) => product(QUERY, getLocal(DATA), loaded, lane));
  return stridedLoop("dot", 2, { before, value: sumLanes(total) });
};

const differLoop = (size: number): WasmFunction =>
  stridedLoop("differ", 0, { value: hammingDistance(QUERY, DATA, size) });

const dotHalvesLoop = (numbers: number): WasmFunction => {
  const [address, total, loaded, half] = [4, 5, 6, 7];
  return loop("dotHalves", { parameters: 4, integers: 1, vectors: 3 }, [
    ...setLocal(address, load32(getLocal(DATA))),
    ...sum(numbers / HALF_NUMBERS, total, (lane) => productOfNibbles(QUERY, getLocal(address), [loaded, half], lane)),
    ...store32(getLocal(OUT), sumLanes(total)),
    ...forward(OUT, constant(RESULT_BYTES)),
    ...forward(DATA, constant(RESULT_BYTES)),
  ]);
};

/**
 * Writes each address, and advances only if it is near enough. A branch would be mispredicted too
 * often.
 */
const withinLoop = (size: number): WasmFunction => {
  const [maxDistance, end] = [4, 5];
  const { body, ...loopFields } = loop("within", { parameters: 6, vectors: 0 }, [
    ...store32(getLocal(OUT), getLocal(DATA)),
    ...forward(
      OUT,
      multiply(atMost(hammingDistance(QUERY, DATA, size), getLocal(maxDistance)), constant(RESULT_BYTES)),
    ),
    ...forward(DATA, constant(size)),
  ]);
  return { ...loopFields, body: [...body, ...store32(getLocal(end), getLocal(OUT))] };
};

const weighLoop = (size: number): WasmFunction => {
  const address = 4;
  const loadEntry = (at: number): Code =>
    load16(
      add(getLocal(QUERY), shiftLeft(load8(getLocal(address), at), ENTRY_BITS)),
      (at * TABLE_ENTRIES) << ENTRY_BITS,
    );
  return loop("weigh", { parameters: 4, integers: 1, vectors: 0 }, [
    ...setLocal(address, load32(getLocal(DATA))),
    ...store32(getLocal(OUT), Array.from({ length: size }, (_, at) => loadEntry(at)).reduce(add)),
    ...forward(OUT, constant(RESULT_BYTES)),
    ...forward(DATA, constant(RESULT_BYTES)),
  ]);
};

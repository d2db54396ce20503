/** The loops that look at every vector: products of 16-bit numbers with 8-bit and with 4-bit ones, and bits in which signatures differ. */
import {
  add,
  addLanes32,
  atMost,
  type Code,
  constant,
  differing64,
  dotPairs,
  get,
  load128,
  load16,
  load32,
  load8,
  lowerHalves,
  multiply,
  repeat,
  set,
  shiftLeft,
  store32,
  sumLanes,
  upperHalves,
  type WasmFunction,
  widenHigh,
  widenHighUnsigned,
  widenLow,
  widenLowUnsigned,
  writeModule,
  zeros,
} from "./wasm.ts";

export interface KernelSizes {
  /** Numbers that a vector has: a multiple of 32, and not nothing. */
  readonly vector: number;
  /** In bytes: a multiple of 16, and not nothing. */
  readonly signature: number;
}

/** What is compared lies in the memory, and so does the question. None is called for nothing: `count` is 1 at the least. */
export interface Kernel {
  /** A 32-bit product for each of `count` vectors, `stride` bytes from one to the next. The question has 16 bits a number. */
  dot(query: number, data: number, count: number, out: number, stride: number): void;
  /** The same with vectors in halves, as `coarse.ts` has them, whose numbers are 0 to 15. */
  dotHalves(query: number, data: number, count: number, out: number, stride: number): void;
  /** And with those of them that lie where the `count` numbers at `places` say. */
  dotHalvesEach(query: number, places: number, count: number, out: number): void;
  /** In how many bits each of `count` signatures differs. */
  differ(query: number, data: number, count: number, out: number, stride: number): void;
  /** Of signatures in a row those that differ in at most `most` bits: writes where each of them lies, and where what it wrote ends to `end`. */
  within(query: number, data: number, count: number, out: number, most: number, end: number): void;
  /**
   * Of signatures that lie where the `count` numbers at `places` say: for each of its bytes what `table` has for that byte there, 256 numbers of
   * 16 bits a place, summed up.
   */
  weigh(table: number, places: number, count: number, out: number): void;
}

/** How many numbers of 16 bits a byte is looked up in. */
export const TABLE_ENTRIES = 256;
const ENTRY_BITS = 1;

export const createKernel = (memory: WebAssembly.Memory, { vector, signature }: KernelSizes): Kernel => {
  const functions = [
    dotLoop(vector),
    dotHalvesLoop(vector),
    dotHalvesEachLoop(vector),
    differLoop(signature),
    withinLoop(signature),
    weighLoop(signature),
  ];
  const compiled = new WebAssembly.Module(writeModule(functions));
  // What `functions` name and take is what `Kernel` says.
  return new WebAssembly.Instance(compiled, { host: { memory } }).exports as unknown as Kernel;
};

const LANE_BYTES = 16;
/** Numbers in as many bytes, a byte each or a half. */
const BYTE_NUMBERS = 16;
const HALF_NUMBERS = 32;
const LONG_BYTES = 8;
const RESULT_BYTES = 4;

/** So many steps without a loop, which takes half the time. */
const sum = (steps: number, into: number, step: (lane: number) => Code): Code => [
  ...set(into, zeros),
  ...Array.from({ length: steps }, (_, lane) => set(into, addLanes32(get(into), step(lane)))).flat(),
];

const forward = (local: number, by: Code): Code => set(local, add(get(local), by));

/** Numbers of eight bits at `data` with those of sixteen at `query`. */
const product = (query: number, data: Code, held: number, lane: number): Code => [
  ...set(held, load128(data, lane * LANE_BYTES)),
  ...addLanes32(
    dotPairs(load128(get(query), 2 * lane * LANE_BYTES), widenLow(get(held))),
    dotPairs(load128(get(query), (2 * lane + 1) * LANE_BYTES), widenHigh(get(held))),
  ),
];

/** Numbers of four bits, of which 16 bytes at `data` hold 32, with those of sixteen at `query`. */
const productOfHalves = (query: number, data: Code, [held, half]: readonly [number, number], lane: number): Code => {
  const asked = (which: number): Code => load128(get(query), (4 * lane + which) * LANE_BYTES);
  const pairs = (first: number): Code =>
    addLanes32(
      dotPairs(asked(first), widenLowUnsigned(get(half))),
      dotPairs(asked(first + 1), widenHighUnsigned(get(half))),
    );
  return [
    ...set(held, load128(data, lane * LANE_BYTES)),
    ...addLanes32(
      [...set(half, lowerHalves(get(held))), ...pairs(0)],
      [...set(half, upperHalves(get(held))), ...pairs(2)],
    ),
  ];
};

/** Bits are counted 64 at a time: the processor has an instruction for those, and none for vectors. */
const difference = (query: number, data: number, size: number): Code =>
  Array.from({ length: size / LONG_BYTES }, (_, at) => differing64(get(query), get(data), at * LONG_BYTES)).reduce(add);

const [QUERY, DATA, COUNT, OUT, STRIDE] = [0, 1, 2, 3, 4] as const;

/** What comes after the parameters: integers first, then vectors. */
interface Locals {
  readonly parameters: number;
  readonly integers?: number;
  readonly vectors: number;
}

/** Does the same for one thing after the other until none is left. */
const loop = (name: string, { parameters, integers = 0, vectors }: Locals, body: Code): WasmFunction => ({
  ...{ name, parameters, integers, vectors },
  body: repeat([...body, ...forward(COUNT, constant(-1))], get(COUNT)),
});

/** One answer for each, whatever lies between them. */
const strided = (
  name: string,
  vectors: number,
  answer: { readonly before?: Code; readonly value: Code },
): WasmFunction =>
  loop(name, { parameters: 5, vectors }, [
    ...(answer.before ?? []),
    ...store32(get(OUT), answer.value),
    ...forward(OUT, constant(RESULT_BYTES)),
    ...forward(DATA, get(STRIDE)),
  ]);

const dotLoop = (numbers: number): WasmFunction => {
  const [total, held] = [5, 6];
  const before = sum(numbers / BYTE_NUMBERS, total, (lane) => product(QUERY, get(DATA), held, lane));
  return strided("dot", 2, { before, value: sumLanes(total) });
};

const differLoop = (size: number): WasmFunction => strided("differ", 0, { value: difference(QUERY, DATA, size) });

const dotHalvesLoop = (numbers: number): WasmFunction => {
  const [total, held, half] = [5, 6, 7];
  const before = sum(numbers / HALF_NUMBERS, total, (lane) => productOfHalves(QUERY, get(DATA), [held, half], lane));
  return strided("dotHalves", 3, { before, value: sumLanes(total) });
};

const dotHalvesEachLoop = (numbers: number): WasmFunction => {
  const [place, total, held, half] = [4, 5, 6, 7];
  return loop("dotHalvesEach", { parameters: 4, integers: 1, vectors: 3 }, [
    ...set(place, load32(get(DATA))),
    ...sum(numbers / HALF_NUMBERS, total, (lane) => productOfHalves(QUERY, get(place), [held, half], lane)),
    ...store32(get(OUT), sumLanes(total)),
    ...forward(OUT, constant(RESULT_BYTES)),
    ...forward(DATA, constant(RESULT_BYTES)),
  ]);
};

/** Every place is written, and written over by the next one unless it is near enough: a branch would be guessed wrong too often. */
const withinLoop = (size: number): WasmFunction => {
  const [most, end] = [4, 5];
  const { body, ...rest } = loop("within", { parameters: 6, vectors: 0 }, [
    ...store32(get(OUT), get(DATA)),
    ...forward(OUT, multiply(atMost(difference(QUERY, DATA, size), get(most)), constant(RESULT_BYTES))),
    ...forward(DATA, constant(size)),
  ]);
  return { ...rest, body: [...body, ...store32(get(end), get(OUT))] };
};

const weighLoop = (size: number): WasmFunction => {
  const place = 4;
  const lookUp = (at: number): Code =>
    load16(add(get(QUERY), shiftLeft(load8(get(place), at), ENTRY_BITS)), (at * TABLE_ENTRIES) << ENTRY_BITS);
  return loop("weigh", { parameters: 4, integers: 1, vectors: 0 }, [
    ...set(place, load32(get(DATA))),
    ...store32(get(OUT), Array.from({ length: size }, (_, at) => lookUp(at)).reduce(add)),
    ...forward(OUT, constant(RESULT_BYTES)),
    ...forward(DATA, constant(RESULT_BYTES)),
  ]);
};

/** Checks the UI's styles against their uses: classes, variables, and colours outside of tokens. */

export interface StyleSources {
  /** Path → text of every style sheet, including the tokens. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly tokens: string;
  /** Path → text of every source file except tests. */
  readonly code: Readonly<Record<string, string>>;
}

/** Returns one sentence per problem. */
export const judgeStyles = (sources: StyleSources): readonly string[] => [
  ...judgeClasses(sources),
  ...Object.entries(sources.sheets).flatMap(([path, text]) => [
    ...(path === sources.tokens ? [] : judgeColours(path, text)),
    ...judgeVariables(path, text, sources.sheets[sources.tokens] ?? ""),
    ...judgeComposed(path, text),
  ]),
];

const judgeClasses = ({ sheets, code }: StyleSources): readonly string[] => {
  const used = new Map<string, Set<string>>();
  const wrong: string[] = [];
  for (const [path, text] of Object.entries(code)) {
    for (const [, name = "", source = ""] of text.matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)) {
      const target = resolve(path, source);
      const sheet = sheets[target];
      if (sheet === undefined) {
        wrong.push(`${path} imports ${source}, which does not exist`);
        continue;
      }
      const classes = classesOf(sheet);
      const asked = [
        ...allOf(text, new RegExp(`\\b${name}\\??\\.(\\w+)`, "g")),
        ...allOf(text, new RegExp(`\\b${name}\\["([^"]+)"\\]`, "g")),
      ];
      for (const name of asked)
        if (!classes.has(name)) wrong.push(`${path} uses .${name}, which ${target} does not define`);
      // A computed name may be any class.
      const computed = new RegExp(`\\b${name}\\[(?!")`).test(text) ? [...classes] : [];
      used.set(target, new Set([...(used.get(target) ?? []), ...asked, ...computed]));
    }
  }
  // A class may compose one of another sheet.
  for (const [path, text] of Object.entries(sheets)) {
    for (const [, name = "", source = ""] of text.matchAll(/composes:\s*([\w-]+)\s+from\s+"([^"]+)"/g)) {
      const target = resolve(path, source);
      if (!classesOf(sheets[target] ?? "").has(name))
        wrong.push(`${path} uses .${name}, which ${target} does not define`);
      used.set(target, new Set([...(used.get(target) ?? []), name]));
    }
  }
  for (const [path, text] of Object.entries(sheets)) {
    if (!path.endsWith(".module.css")) continue;
    for (const name of classesOf(text))
      if (!used.get(path)?.has(name)) wrong.push(`${path} has .${name}, which nothing uses`);
  }
  return wrong;
};

const judgeColours = (path: string, text: string): readonly string[] =>
  valuesOf(text).flatMap((value) => {
    const colour =
      /#[\da-f]{3,8}\b/i.exec(value)?.[0] ??
      /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|light-dark)\(/i.exec(value)?.[0] ??
      value.match(/(?<![\w-])[a-z]+(?![\w(-])/gi)?.find((word) => NAMED.has(word.toLowerCase()));
    return colour === undefined ? [] : [`${path} names the colour ${colour}; colours are tokens`];
  });

const judgeVariables = (path: string, text: string, tokens: string): readonly string[] => {
  const defined = new Set([tokens, text].flatMap((sheet) => allOf(bare(sheet), /(--[\w-]+)\s*:/g)));
  return allOf(bare(text), /var\(\s*(--[\w-]+)/g)
    .filter((name) => !defined.has(name))
    .map((name) => `${path} uses ${name}, which nothing defines`);
};

/** The build silently drops `composes` in a rule with more than one class. */
const judgeComposed = (path: string, text: string): readonly string[] =>
  allOf(bare(text), /([^{};]+)\{[^{}]*\bcomposes:/g)
    .map((selector) => selector.trim().replace(/\s+/g, " "))
    .filter((selector) => !/^\.[\w-]+$/.test(selector))
    .map((selector) => `${path} composes in ${selector}; only a rule for one class can`);

/** Removes comments and strings. */
const bare = (css: string): string => css.replace(/\/\*[\s\S]*?\*\//g, "").replace(/"[^"]*"|'[^']*'/g, '""');

const classesOf = (css: string): ReadonlySet<string> =>
  new Set(
    allOf(bare(css), /([^{};]+)\{/g).flatMap((selector) =>
      allOf(selector.replace(/:global\([^)]*\)/g, ""), /\.([a-z_][\w-]*)/gi),
    ),
  );

const valuesOf = (css: string): readonly string[] => allOf(bare(css), /[\w-]+\s*:\s*([^{};]+)(?=[;}])/g);

/** Returns the first group of every match. */
const allOf = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "");

const resolve = (from: string, source: string): string => new URL(source, `file:///${from}`).pathname.slice(1);

/** Named colours. System colours such as `Highlight` are allowed. */
const NAMED = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue
  chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey
  darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray
  darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen
  fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender
  lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey
  lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen
  magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
  mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange
  orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
  rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray
  slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow yellowgreen`
    .trim()
    .split(/\s+/),
);

/** Recognizes the language of a text, so that a speaker reads it with a voice of that language. */

/** Frequent words of each language that is written in Latin letters. */
const WORDS: Readonly<Record<string, string>> = {
  da: "og det er en til ikke jeg på med har der den som af for du kan vil også hvad efter skal jeres",
  de: "und der die das ist nicht ein eine ich du sie wir mit auf für den von zu es im auch dass wie noch kann hat haben bei nach aus sind gern heute ja nein wird werden habe",
  en: "the and is are of to in it you that for with not this have be on was will your what can from they i we he she has at yes there do",
  es: "el los las que y es no por con para una del se lo su más pero está como hay muy si también esto son tu yo",
  fr: "le les et est pas que des une pour dans je vous nous avec sur ce il elle au du ne plus mais sont cette oui votre qui",
  it: "il gli che è non di per una con sono della ho più come ma anche questo nel alla lo io si hai tuo molto",
  nl: "het een en van niet ik je dat met op voor zijn is de er maar ook wat naar nog aan heeft kan wij deze",
  pl: "i nie się na jest w to że z do jak ale co tak czy są dla od przez już tylko może ten",
  pt: "o os as que e não é um uma para com do da em por mais está mas como você são isso também seu eu",
  sv: "och det är en att inte jag på med som för har du den av till kan vi om också vad ett ska",
  tr: "ve bir bu için de da ile çok ne değil var ben sen olarak daha mi gibi ama evet hayır",
};

/** Letters that decide between languages with the same script. The first match counts. */
const SCRIPTS: readonly (readonly [language: string, letters: RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["ko", /\p{Script=Hangul}/u],
  ["zh", /\p{Script=Han}/u],
  ["uk", /[іїєґ]/iu],
  ["ru", /\p{Script=Cyrillic}/u],
  ["el", /\p{Script=Greek}/u],
  ["he", /\p{Script=Hebrew}/u],
  ["fa", /[پچژگ]/u],
  ["ar", /\p{Script=Arabic}/u],
  ["hi", /\p{Script=Devanagari}/u],
  ["th", /\p{Script=Thai}/u],
];

/** Length of the beginning that is read, in UTF-16 code units. */
const MAX_READ = 2_000;

/** Returns the language as a two-letter code, or undefined if the text does not show it. */
export const languageOf = (text: string): string | undefined => {
  const read = text.slice(0, MAX_READ).toWellFormed().toLowerCase();
  const latin = read.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const letters = read.match(/\p{L}/gu)?.length ?? 0;
  // A text with a few foreign words is still in Latin letters.
  if (latin * 2 < letters) return SCRIPTS.find(([, pattern]) => pattern.test(read))?.[0];
  const words = read.match(/\p{L}+/gu) ?? [];
  const scores = Object.entries(WORDS).map(([language, list]) => {
    const known = new Set(list.split(" "));
    return { language, count: words.filter((word) => known.has(word)).length };
  });
  const [first, second] = scores.toSorted((one, other) => other.count - one.count);
  return first !== undefined && first.count >= 2 && first.count > (second?.count ?? 0) ? first.language : undefined;
};

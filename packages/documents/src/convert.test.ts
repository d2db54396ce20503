import { describe, expect, test } from "bun:test";
import { gzipSync, strToU8, zipSync } from "fflate";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { convertDocument } from "./convert.ts";
import { LIMITS } from "./limits.ts";

const MOST = 200_000;
const zip = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, value]) => [name, typeof value === "string" ? strToU8(value) : value]),
    ),
  );
const textOf = async (bytes: Uint8Array | string, most = MOST): Promise<string> => {
  const result = await convertDocument(typeof bytes === "string" ? strToU8(bytes) : bytes, most);
  return result.kind === "text" ? result.text : `refused: ${result.why}`;
};

const pdfOf = async (texts: readonly string[], change?: (pdf: PDFDocument) => void): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of texts) pdf.addPage().drawText(text, { x: 50, y: 700, size: 12, font });
  change?.(pdf);
  return pdf.save({ useObjectStreams: false });
};

const relations = (targets: Readonly<Record<string, string>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`)
    .join("")}</Relationships>`;
const docx = (body: string): Uint8Array =>
  zip({ "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>` });
const paragraph = (text: string, properties = ""): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const xlsx = (rows: string): Uint8Array =>
  zip({
    "xl/workbook.xml": '<workbook><sheets><sheet name="Budget" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": relations({ r1: "worksheets/sheet1.xml" }),
    "xl/sharedStrings.xml": "<sst><si><t>Rent</t></si></sst>",
    "xl/styles.xml": '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });

describe("a document becomes Markdown with anchors:", () => {
  test("a PDF by pages", async () => {
    expect(await textOf(await pdfOf(["First.", "Second."]))).toBe("[page 1]\nFirst.\n\n[page 2]\nSecond.");
  });

  test("a DOCX with headings, lists, tables and pages", async () => {
    const table = `<w:tbl><w:tr><w:tc>${paragraph("a")}</w:tc><w:tc>${paragraph("b|c")}</w:tc></w:tr></w:tbl>`;
    const second = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>more &amp; more</w:t></w:r></w:p>";
    const body = `${paragraph("Plan", '<w:pStyle w:val="Heading1"/>')}${paragraph("one", "<w:numPr/>")}${table}${second}`;
    expect(await textOf(docx(body))).toBe(
      "[page 1]\n\n# Plan\n\n- one\n\n| a | b\\|c |\n| --- | --- |\n\n[page 2]\n\nmore & more",
    );
  });

  test("an XLSX by sheets, with dates and shared strings", async () => {
    const rows =
      '<row><c r="A1" t="s"><v>0</v></c><c r="C1"><v>7</v></c></row><row><c r="A2" s="1"><v>45000</v></c></row>';
    expect(await textOf(xlsx(rows))).toBe("[sheet Budget]\n| Rent |  | 7 |\n| --- | --- | --- |\n| 2023-03-15 |  |  |");
  });

  test("a PPTX by slides, in the order of the presentation, with notes", async () => {
    const slide = (text: string): string => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const bytes = zip({
      "ppt/presentation.xml": '<p:presentation><p:sldId r:id="r2"/><p:sldId r:id="r1"/></p:presentation>',
      "ppt/_rels/presentation.xml.rels": relations({ r1: "slides/slide1.xml", r2: "slides/slide2.xml" }),
      "ppt/slides/slide1.xml": slide("last"),
      "ppt/slides/slide2.xml": slide("first"),
      "ppt/slides/_rels/slide2.xml.rels": relations({ r1: "../notesSlides/notesSlide1.xml" }),
      "ppt/notesSlides/notesSlide1.xml": slide("say hello"),
    });
    expect(await textOf(bytes)).toBe("[slide 1]\nfirst\nNotes:\nsay hello\n\n[slide 2]\nlast");
  });

  test("an EPUB by chapters", async () => {
    const bytes = zip({
      "META-INF/container.xml": '<container><rootfile full-path="OPS/a.opf"/></container>',
      "OPS/a.opf":
        '<package><item id="b" href="b.xhtml"/><item id="a" href="a.xhtml"/><itemref idref="a"/><itemref idref="b"/></package>',
      "OPS/a.xhtml": "<html><body><h1>One</h1></body></html>",
      "OPS/b.xhtml": "<html><body><p>Two</p></body></html>",
    });
    expect(await textOf(bytes)).toBe("[chapter 1]\n# One\n\n[chapter 2]\nTwo");
  });

  test("HTML without its scripts, separated values, and RTF", async () => {
    expect(
      await textOf(
        '<!doctype html><h2>A</h2><script>alert(1)</script><p>see <a href="https://b.example/">b</a></p><ul><li>c</ul>',
      ),
    ).toBe("## A\n\nsee [b](https://b.example/)\n\n- c");
    expect(await textOf('a;b\n"1;2";3\n')).toBe("| a | b |\n| --- | --- |\n| 1;2 | 3 |");
    expect(await textOf("{\\rtf1{\\fonttbl{\\f0 Arial;}}Caf\\'e9 \\u8364?5\\par next}")).toBe("Café €5\nnext");
  });

  test("a mail with its headers and a list of its attachments", async () => {
    const mail = [
      ...["From: Ana <ana@a.example>", "To: b@b.example", "Subject: Rent", "Date: Mon, 1 Jun 2026 10:00:00 +0000"],
      ...[
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="x"',
        "",
        "--x",
        "Content-Type: text/plain",
        "",
      ],
      ...[
        "It is paid.",
        "--x",
        "Content-Type: application/pdf",
        'Content-Disposition: attachment; filename="a.pdf"',
        "",
      ],
      ...["abc", "--x--", ""],
    ].join("\r\n");
    const text = await textOf(mail);
    expect(text).toStartWith("From: Ana <ana@a.example>\nTo: b@b.example\nSubject: Rent");
    expect(text).toContain("It is paid.\n\n[attachment a.pdf] application/pdf, ");
  });

  test("an archive as a list, with the text of small members", async () => {
    const bytes = zip({ "a.txt": "hello", "b.bin": Uint8Array.of(0, 1, 2) });
    expect(await textOf(bytes)).toBe("2 members:\n- a.txt (5 bytes)\n- b.bin (3 bytes)\n\n[member a.txt]\nhello");
    const header = new Uint8Array(512);
    header.set(strToU8("c.txt"));
    header.set(strToU8("00000000003\0"), 124);
    header.set(strToU8("0ustar"), 156);
    header[156] = 0x30;
    header.set(strToU8("ustar"), 257);
    const tar = new Uint8Array(2048);
    tar.set(header);
    tar.set(strToU8("yes"), 512);
    const listed = "1 members:\n- c.txt (3 bytes)\n\n[member c.txt]\nyes";
    expect([await textOf(tar), await textOf(gzipSync(tar))]).toEqual([listed, listed]);
  });

  test("and a long one is cut", async () => {
    expect(await convertDocument(strToU8("x".repeat(100)), 10)).toEqual({
      kind: "text",
      text: "x".repeat(10),
      cut: true,
    });
  });
});

describe("a hostile document", () => {
  test("A38: a zip bomb, a gzip bomb and a nested zip are refused or listed before they are unpacked", async () => {
    const zeros = new Uint8Array(LIMITS.ratioFromBytes * 2);
    expect(await textOf(zip({ "word/document.xml": zeros }))).toBe(
      `refused: Its member "word/document.xml" grows more than ${LIMITS.ratio} times when it is unpacked.`,
    );
    expect(await textOf(gzipSync(zeros))).toBe(
      `refused: It grows more than ${LIMITS.ratio} times when it is unpacked.`,
    );
    const inner = zip({ "in.txt": "inside" });
    expect(await textOf(zip({ "inner.zip": inner }))).toBe(`1 members:\n- inner.zip (${inner.length} bytes)`);
  });

  test("A38: a member that is longer than it declares is cut at its declared size", async () => {
    const bytes = zip({ "a.txt": "b".repeat(3000) });
    const directory = Buffer.from(bytes).indexOf(Buffer.from("PK\x01\x02", "latin1"));
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(directory + 24, 5, true);
    expect(await textOf(bytes)).not.toContain("b".repeat(6));
  });

  test("A39: an entity bomb is not expanded, and deep nesting is refused", async () => {
    const bomb = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const text = await textOf(
      zip({ "word/document.xml": `${bomb}<w:document>${paragraph("x &b; &f;")}</w:document>` }),
    );
    expect([text.includes("haha"), text.includes("root:"), text.length < 200]).toEqual([false, false, true]);
    const deep = `${"<w:p>".repeat(LIMITS.depth + 1)}`;
    expect(await textOf(docx(deep))).toBe(`refused: Its elements are nested more than ${LIMITS.depth} deep.`);
    expect(await textOf(`<!doctype html>${"<div>".repeat(100_000)}`)).toContain("nested more than");
  });

  test("A40: a PDF that claims a million pages ends soon, and its scripts are not run", async () => {
    const honest = await pdfOf(["Only page."], (pdf) => pdf.addJavaScript("run", "while (true) {}"));
    const source = Buffer.from(honest).toString("latin1");
    const claiming = source.replace(/\/Count 1\b/, "/Count 1000000");
    expect(claiming).not.toBe(source);
    for (const text of [source, claiming]) {
      const result = await textOf(Buffer.from(text, "latin1"));
      expect(result).toMatch(/Only page\.|cut|refused/);
      expect(result).not.toContain("while");
    }
  });

  test("A41: names that lead out of the archive are only shown, and cannot break the list", async () => {
    const text = await textOf(zip({ "../../etc/cron.d/x": "evil", "/abs.txt": "y", "a\n[page 9]": "z" }));
    expect(text).toContain("- ../../etc/cron.d/x (4 bytes)");
    expect(text).not.toContain("\n[page 9]");
  });

  test("that is cut off at any length gives a text or a sentence", async () => {
    const files = [
      await pdfOf(["Some words."]),
      docx(paragraph("words")),
      xlsx("<row><c><v>1</v></c></row>"),
      gzipSync(strToU8("words")),
    ];
    for (const whole of files)
      for (let length = 8; length < whole.length; length += Math.ceil(whole.length / 25))
        expect(await textOf(whole.slice(0, length))).toMatch(/^refused: .+\.$|words|1/);
  });

  test("that is two types at once has the text of one", async () => {
    const both = Buffer.concat([await pdfOf(["As a PDF."]), zip({ "a.txt": "as a zip" })]);
    expect(await textOf(both)).toBe("[page 1]\nAs a PDF.");
  });

  test("of an unknown or an old type is refused with a sentence", async () => {
    expect(await textOf(Uint8Array.of(0, 1, 2, 255))).toBe("refused: Hearth reads no documents of this type.");
    expect(await textOf(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0))).toContain("Save it as DOCX");
  });
});

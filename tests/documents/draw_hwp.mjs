// Prints, as JSON, what @rhwp/core draws: for each file given, its pages as SVG.
// With "--hwp SOURCE TARGET" it writes SOURCE as an HWP file instead.
// Its first argument is the folder in which @rhwp/core is installed.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const core = join(folder, "node_modules", "@rhwp", "core");
const { default: init, HwpDocument } = await import(pathToFileURL(join(core, "rhwp.js")));
// Letters have the same width on every machine: an em, or half of one.
globalThis.measureTextWidth = (font, text) => {
  const size = parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? "12");
  return [...text].reduce((sum, one) => sum + (one.codePointAt(0) > 0x2e80 ? size : size / 2), 0);
};
await init({ module_or_path: await readFile(join(core, "rhwp_bg.wasm")) });
const open = async (name) => new HwpDocument(new Uint8Array(await readFile(name)));

if (files[0] === "--hwp") {
  await writeFile(files[2], (await open(files[1])).exportHwp());
} else {
  const drawn = [];
  for (const name of files) {
    const document = await open(name);
    const pages = [];
    for (let page = 0; page < document.pageCount(); page++) pages.push(document.renderPageSvg(page));
    drawn.push(pages);
    document.free();
  }
  console.log(JSON.stringify(drawn));
}

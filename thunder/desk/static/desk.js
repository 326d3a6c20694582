// The reading pane. What is decided by key goes to the server; what comes back is shown.
// Offsets are code points of the original, as everywhere in Thunder-DeID. All words are shown as
// text, never as HTML.
"use strict";
const desk = document.getElementById("desk");
const body = document.getElementById("text");
const said = document.getElementById("said");
const list = document.getElementById("questions");
const find = document.getElementById("find");
const label = document.getElementById("label");
const base = `/documents/${desk.dataset.id}`;
let lines = [], view = null, at = -1, pick = null, old = null, first = null, busy = false;

const length = (text) => { let n = 0; for (const _ of text) n += 1; return n; };
const say = (message) => { said.textContent = message || ""; said.hidden = !message; };

function element(name, content, kind) {
  const made = document.createElement(name);
  if (content !== undefined) made.textContent = content;
  if (kind) made.className = kind;
  return made;
}

async function send(path, more) {
  if (busy) return null;
  busy = true;
  try {
    const response = await fetch(base + path, {
      method: more ? "POST" : "GET",
      headers: { Accept: "application/json", ...(more && { "Content-Type": "application/json", "X-CSRF-Token": desk.dataset.csrf }) },
      body: more ? JSON.stringify({ version: view.version, ...more }) : undefined,
    });
    if (response.status === 401) { location.href = "/sign-in"; return null; }
    const answer = await response.json();
    say(answer.said || (answer.error && answer.error.message));
    if (answer.again) {
      busy = false;
      const message = answer.said;
      await load();
      say(message);
      return null;
    }
    return response.ok ? answer : null;
  } catch (error) {
    say(String(error.message || error));
    return null;
  } finally {
    busy = false;
  }
}

// --- the text -------------------------------------------------------------------------------------

function split(text) {
  let start = 0;
  return text.split(/\r\n|\r|\n/).map((line, number, all) => {
    const size = length(line);
    const one = { start, end: start + size, text: line, plain: size === line.length, shown: null };
    start += size;
    if (number < all.length - 1) start += ends[number];
    return one;
  });
}
let ends = [];
const TOGETHER = 100; // lines

function cut(line, from, to) {
  const a = Math.max(from, line.start) - line.start, b = Math.min(to, line.end) - line.start;
  return line.plain ? line.text.slice(a, b) : Array.from(line.text).slice(a, b).join("");
}

function between(start, end) {
  return lines.filter((line) => line.start < end && start < line.end)
    .map((line) => cut(line, start, end)).join("\n");
}

function lineAt(offset) {
  let low = 0, high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle].start <= offset) low = middle; else high = middle - 1;
  }
  return low;
}

function begin(text) {
  ends = (text.match(/\r\n|\r|\n/g) || []).map((one) => one.length);
  lines = split(text);
  const rows = lines.map((line, number) => {
    const row = document.createElement("tr");
    const cells = [element("th", number + 1), element("td", line.text, "original"), element("td", line.text, "result")];
    row.role = "row"; // said, for rows are laid out one by one
    cells.forEach((cell, at) => { cell.role = at ? "cell" : "rowheader"; });
    line.row = row;
    row.append(...cells);
    return row;
  });
  for (let at = 0; at < rows.length; at += TOGETHER) { // what is far away is not laid out
    const group = document.createElement("tbody");
    group.role = "rowgroup";
    group.append(...rows.slice(at, at + TOGETHER));
    body.append(group);
  }
}

function piece(line, from, to) {
  const made = element("span", cut(line, from, to));
  made.dataset.start = from;
  return made;
}

function draw(line, marks) {
  const key = JSON.stringify(marks);
  if (line.shown === key) return;
  line.shown = key;
  const before = [], after = [];
  let done = line.start;
  for (const [start, end, words, kinds, what, doubt] of marks) {
    if (done < start) {
      before.push(piece(line, done, start));
      after.push(document.createTextNode(cut(line, done, start)));
    }
    const mark = piece(line, start, Math.min(end, line.end));
    mark.className = `m ${kinds}`;
    mark.title = doubt ? `${what} · ${doubt}` : what;
    const result = element("span", start < line.start ? "" : words, `m ${kinds}`);
    result.title = mark.title;
    before.push(mark);
    after.push(result);
    done = Math.min(end, line.end);
  }
  if (done < line.end) {
    before.push(piece(line, done, line.end));
    after.push(document.createTextNode(cut(line, done, line.end)));
  }
  line.row.children[1].replaceChildren(...before);
  line.row.children[2].replaceChildren(...after);
}

function show(fresh) {
  view = fresh;
  let next = 0;
  for (const line of lines) {
    while (next < view.marks.length && view.marks[next][1] <= line.start) next += 1;
    const own = [];
    for (let number = next; number < view.marks.length && view.marks[number][0] < line.end; number += 1) {
      const [start, ...rest] = view.marks[number];
      own.push([Math.max(start, line.start), ...rest]);
    }
    draw(line, own);
  }
  document.getElementById("left").textContent = view.left;
  document.getElementById("reading").textContent = view.reading;
  showRead();
  document.getElementById("go").classList.toggle("ready", view.may_go);
  showQuestions();
  showEntities();
  document.getElementById("history").replaceChildren(...view.history.map((one) =>
    element("li", `${one.who} · ${one.what}`, one.done ? "" : "undone")));
  if (pick) point(pick.start, pick.end, false);
}

function showRead() {
  let next = 0;
  for (const line of lines) {
    while (next < view.unread.length && view.unread[next][1] <= line.start) next += 1;
    const isUnread = next < view.unread.length && view.unread[next][0] < line.end;
    line.row.classList.toggle("unread", isUnread);
  }
}

async function readHere() { // the lines that are wholly in view; then on to what is not read yet
  if (!view.unread.length) return;
  const top = body.tHead.getBoundingClientRect().bottom;
  const isSeen = (number) => { // of a line longer than the window, its end
    const place = lines[number].row.getBoundingClientRect();
    return place.bottom > top && place.bottom <= innerHeight + 1 && (place.top >= top - 1 || place.height > innerHeight - top);
  };
  const found = document.elementFromPoint(body.getBoundingClientRect().left + 5, top + 2);
  const row = found && found.closest("#text tbody tr");
  let from = row ? Number(row.firstChild.textContent) - 1 : 0;
  if (!isSeen(from) && from + 1 < lines.length) from += 1;
  if (!isSeen(from)) return;
  let to = from;
  while (to + 1 < lines.length && isSeen(to + 1)) to += 1;
  const start = lines[from].start, end = to + 1 < lines.length ? lines[to + 1].start : lines[to].end;
  if (start >= end) return;
  const fresh = await send("/decisions", { content: { kind: "read", start, end } });
  if (!fresh) return;
  show(fresh);
  if (fresh.unread.length) {
    const [next] = fresh.unread.find(([, last]) => last > end) || fresh.unread[0];
    lines[lineAt(next)].row.scrollIntoView({ block: "start" });
    scrollBy(0, -body.tHead.getBoundingClientRect().bottom);
  }
}

function showQuestions() {
  const rows = view.questions.map((one, number) => {
    const button = element("button", one.wording.slice(0, 60) || "—");
    button.type = "button";
    button.className = (one.open ? "" : "answered ") + (one.must ? "must" : "");
    button.dataset.kind = one.kind;
    const count = one.count > 1 ? ` · ${one.count} ${desk.dataset.places}` : "";
    button.append(element("span", `${one.must ? `${desk.dataset.must} · ` : ""}${one.message}${count}`, "where"));
    button.addEventListener("click", () => go(number));
    const row = element("li");
    row.append(button);
    return row;
  });
  list.replaceChildren(...(rows.length ? rows : [element("li", desk.dataset.none)]));
  markQuestion();
}

function showEntities() {
  document.getElementById("entities").replaceChildren(...view.entities.map((one) => {
    const button = element("button");
    button.type = "button";
    button.title = one.label;
    const words = one.wordings.map(([word, count]) => (count > 1 ? `${word} ×${count}` : word)).join(", ");
    button.append(element("b", one.letter), element("span", words, "name"),
      element("span", one.wordings.reduce((sum, [, count]) => sum + count, 0), "count"));
    button.addEventListener("click", () => {
      const mark = markAt(one.start);
      at = -1;
      if (mark) point(mark[0], mark[1]);
    });
    const row = element("li");
    row.append(button);
    return row;
  }));
}

// --- where one is ---------------------------------------------------------------------------------

const markAt = (offset) => view.marks.find(([start, end]) => start <= offset && offset < end);

function place(offset, isEnd) {
  const line = lines[lineAt(isEnd ? offset - 1 : offset)];
  for (const span of line.row.children[1].children) {
    const start = Number(span.dataset.start), size = length(span.textContent);
    if (isEnd ? offset <= start + size : offset < start + size) {
      const inside = Array.from(span.textContent).slice(0, Math.max(0, offset - start)).join("").length;
      return [span.firstChild, inside];
    }
  }
  return null;
}

function point(start, end, scrolls = true) {
  body.querySelectorAll(".current").forEach((one) => one.classList.remove("current"));
  pick = { start, end };
  const from = place(start, false), to = place(end, true);
  if (!from || !to) return;
  getSelection().setBaseAndExtent(...from, ...to);
  const span = from[0].parentElement;
  if (span.classList.contains("m")) span.classList.add("current");
  if (scrolls) span.scrollIntoView({ block: "center" });
}

function markQuestion() {
  [...list.querySelectorAll("button")].forEach((one, number) =>
    one.setAttribute("aria-current", String(number === at)));
}

function go(number) {
  at = number;
  const one = view.questions[at];
  markQuestion();
  list.children[at].scrollIntoView({ block: "nearest" });
  old = { start: one.start, end: one.end };
  if (one.end > one.start) point(one.start, one.end); else pick = null;
  say("");
}

function nextQuestion(by) {
  const many = view.questions.length;
  for (let step = 1; step <= many; step += 1) {
    const number = (((at < 0 && by < 0 ? 0 : at) + by * step) % many + many) % many;
    if (view.questions[number].open) return go(number);
  }
}

function nextMark(by) {
  const all = view.marks.filter(([, , , kinds]) => kinds.includes("change"));
  if (!all.length) return;
  const here = pick ? pick.start : -1;
  const found = by > 0 ? all.find(([start]) => start > here) : all.findLast(([start]) => start < here);
  const [start, end] = found || all.at(by > 0 ? 0 : -1);
  at = -1;
  old = { start, end };
  markQuestion();
  point(start, end);
}

function offsetOf(node, inside) {
  const span = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
  if (!span.closest || !span.closest("td.original")) return -1;
  if (span.dataset.start === undefined) return -1;
  return Number(span.dataset.start) + length(node.textContent.slice(0, inside));
}

function chosen() {
  const range = getSelection();
  if (range.rangeCount && !range.isCollapsed) {
    const a = offsetOf(range.anchorNode, range.anchorOffset), b = offsetOf(range.focusNode, range.focusOffset);
    if (a >= 0 && b >= 0 && a !== b) return { start: Math.min(a, b), end: Math.max(a, b) };
  }
  return pick;
}

// --- what is decided ------------------------------------------------------------------------------

async function decide(content) {
  const fresh = await send("/decisions", { content });
  if (!fresh) return;
  const before = at >= 0 ? view.questions[at] : null;
  at = before ? fresh.questions.findIndex((one) => one.kind === before.kind && one.wording === before.wording) : -1;
  show(fresh);
  if (before && at < 0) at = Math.max(-1, fresh.questions.findIndex((one) => one.open) - 1);
}

function mask(isHere) {
  const place = chosen();
  if (!place) return;
  const words = between(place.start, place.end), own = { label: label.value };
  if (isHere) return decide({ kind: "mask place", start: place.start, end: place.end, ...own });
  const was = old && markAt(old.start) ? between(old.start, old.end) : "";
  const isOther = was && was !== words && (was.includes(words) || words.includes(was)) &&
    old.start < place.end && place.start < old.end;
  if (isOther) return decide({ kind: "edge", wording: words, old: was, ...own });
  return decide({ kind: "mask", wording: words, ...own });
}

function open(isHere) {
  const place = chosen();
  if (!place) return;
  if (isHere) return decide({ kind: "open place", start: place.start, end: place.end });
  return decide({ kind: "open", wording: between(place.start, place.end) });
}

function answer() {
  const one = view.questions[at];
  if (one && one.wording.trim()) decide({ kind: "answer", check: one.kind, wording: one.wording });
}

function join() {
  const place = chosen();
  const word = place && between(place.start, place.end);
  if (!word) return;
  if (first && first !== word) {
    decide({ kind: "join", wordings: [first, word] });
    first = null;
  } else {
    first = word;
    say(`${word} + …`);
  }
}

function splitOff() {
  const place = chosen();
  if (place) decide({ kind: "letter", wording: between(place.start, place.end), letter: view.next_letter });
}

function stretch(side, by) {
  const place = chosen();
  if (!place) return;
  const mark = markAt(place.start);
  if (mark && (!old || old.end <= place.start || place.end <= old.start)) old = { start: mark[0], end: mark[1] };
  const line = lines[lineAt(place.start)];
  const start = side === "start" ? Math.max(line.start, place.start - by) : place.start;
  const end = side === "end" ? Math.min(line.end, place.end + by) : place.end;
  if (start < end) point(start, end, false);
}

async function turn(name) {
  const fresh = await send(`/${name}`, {});
  if (fresh) show(fresh);
}

function ask(what) {
  const dialog = document.getElementById("ask"), words = document.getElementById("ask-words");
  document.getElementById("ask-what").textContent = what;
  words.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () =>
      resolve(dialog.returnValue === "yes" ? words.value.trim() : ""), { once: true });
  });
}
document.getElementById("ask-words").addEventListener("keydown", (event) => {
  if (event.code === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    document.getElementById("ask").close("yes");
  }
});

async function note() {
  const words = await ask(desk.dataset.note);
  if (words) decide({ kind: "note", text: words });
}

async function step(button) {
  const reason = button.dataset.asks ? await ask(desk.dataset.reason) : "";
  if (button.dataset.asks && !reason) return;
  if (await send("/steps", { step: button.dataset.step, reason })) location.href = "/";
}

let found = -1;
function search() {
  const words = find.value.trim();
  if (!words) return;
  const from = pick ? pick.end : 0;
  for (const start of [from, 0]) {
    for (const line of lines.slice(lineAt(start))) {
      const skip = line.start < start ? cut(line, line.start, start).length : 0;
      found = line.text.indexOf(words, skip);
      if (found < 0) continue;
      const begins = line.start + length(line.text.slice(0, found));
      at = -1;
      old = null;
      say("");
      return point(begins, begins + length(words));
    }
  }
  say(desk.dataset.notFound);
}

async function load() {
  const fresh = await send("/view", null);
  if (fresh) show(fresh);
}

const KEYS = {
  KeyN: () => nextQuestion(1), KeyP: () => nextQuestion(-1),
  KeyJ: () => nextMark(1), KeyK: () => nextMark(-1),
  KeyM: (event) => mask(event.shiftKey), KeyO: (event) => open(event.shiftKey),
  KeyA: answer, KeyG: join, KeyS: splitOff, KeyT: note,
  KeyU: () => turn("undo"), KeyR: () => turn("redo"),
  KeyD: readHere,
  KeyL: () => label.focus(), Slash: () => { find.focus(); find.select(); },
  BracketLeft: (event) => stretch("start", event.shiftKey ? -1 : 1),
  BracketRight: (event) => stretch("end", event.shiftKey ? -1 : 1),
  KeyF: () => step(document.getElementById("go")),
};

document.addEventListener("keydown", (event) => {
  if (!view || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.isComposing) return;
    if (event.code === "Enter" && event.target === find) { event.preventDefault(); find.blur(); search(); }
    else if (event.code === "Escape" || event.code === "Enter") event.target.blur();
    return;
  }
  const act = KEYS[event.code]; // the key's place, whatever an input method makes of it
  if (act) { event.preventDefault(); act(event); }
});
body.addEventListener("click", (event) => {
  if (!getSelection().isCollapsed) { old = null; return; }
  const span = event.target.closest("td.original .m");
  if (!span) return;
  const mark = markAt(Number(span.dataset.start));
  if (!mark) return;
  at = -1;
  old = { start: mark[0], end: mark[1] };
  markQuestion();
  point(mark[0], mark[1], false);
});
document.querySelectorAll("[data-step]").forEach((button) => button.addEventListener("click", () => step(button)));

const text = await send("/text", null);
if (text) {
  begin(text.text);
  await load();
}

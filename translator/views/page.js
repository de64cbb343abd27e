"use strict";
// The page is whole without this script: a table for each sentence. The script reads the tables, sets the playable stage above each, and
// writes no markup: a text from a table only ever becomes the text of an element.

const PAUSE = 1200; // milliseconds a step when playing
const LEAST = 0.02; // a weight below that draws no line
const WIDEST = 16; // pixels of a line whose weight is 1
const SVG = "http://www.w3.org/2000/svg";

const make = (name, className, parent) => {
  const element = document.createElement(name);
  if (className) element.className = className;
  parent?.append(element);
  return element;
};

/** One sentence in pieces or in words: its table, and the stage that plays it. */
class View {
  constructor(element) {
    this.element = element;
    this.rows = [...element.querySelectorAll("tbody tr")];
    this.columns = [...element.querySelectorAll("thead th[data-column]")];
    this.cells = this.rows.map((row) => [...row.querySelectorAll("td[data-level]")]);
    this.weights = this.cells.map((row) => row.map((cell) => Number(cell.dataset.weight)));
    this.most = this.cells.map((row) => row.findIndex((cell) => cell.classList.contains("most"))); // -1: nothing stands out
    this.step = 0; // the row that is being written
    this.look = {}; // the row or the column that is pointed at
    this.timer = null;
    this.build();
    this.listen();
    this.show();
  }

  build() {
    const stage = document.getElementById("stage").content.cloneNode(true).firstElementChild;
    this.element.prepend(stage);
    this.stage = stage;
    this.lines = stage.querySelector(".lines");
    this.sources = this.columns.map((header) => this.chip(header.textContent, stage.querySelector(".source")));
    this.targets = this.rows.map((row) => this.chip(row.querySelector("th").textContent, stage.querySelector(".target")));
    this.targets.forEach((chip, i) => {
      make("span", "sure", chip).style.width = `${100 * Number(this.rows[i].dataset.probability)}%`;
    });
    stage.querySelectorAll("h3").forEach((heading) => {
      heading.id = `list-${document.querySelectorAll("ol[aria-labelledby]").length}`;
      heading.nextElementSibling.setAttribute("aria-labelledby", heading.id);
    });
    this.fill("steps", this.rows.length);
    if (this.most[0] < 0) stage.querySelectorAll(".most").forEach((part) => part.remove());
    if (!this.columns.length) stage.querySelectorAll(".source, h3:first-of-type").forEach((part) => part.remove());
  }

  chip(text, list) {
    const button = make("button", "chip", make("li", "", list));
    button.type = "button";
    make("bdi", "", button).textContent = text;
    make("span", "number", button);
    return button;
  }

  listen() {
    const watch = (element, look) => {
      for (const on of ["mouseenter", "focus"]) element.addEventListener(on, () => this.point(look));
      for (const off of ["mouseleave", "blur"]) element.addEventListener(off, () => this.point({}));
    };
    this.sources.forEach((chip, column) => watch(chip, { column }));
    this.targets.forEach((chip, row) => {
      watch(chip, { row });
      chip.addEventListener("click", () => this.go(row));
    });
    this.columns.forEach((header, column) => watch(header, { column }));
    this.rows.forEach((element, row) => {
      watch(element.querySelector("th"), { row });
      this.cells[row].forEach((cell, column) => watch(cell, { row, column }));
    });
    this.stage.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => this.press(button.dataset.go)));
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest(".scroll")) return;
    const go = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    const column = this.sources.indexOf(event.target);
    if (column >= 0) this.sources[this.reach(go, column, this.sources.length)].focus();
    else this.press(go);
    if (this.targets.includes(event.target)) this.targets[this.step].focus();
  }

  reach(go, from, count) {
    return { first: 0, back: Math.max(0, from - 1), forward: Math.min(count - 1, from + 1), last: count - 1 }[go];
  }

  press(go) {
    if (go !== "play") return this.go(this.reach(go, this.step, this.rows.length));
    if (this.timer) return this.pause();
    if (this.step === this.rows.length - 1) this.moveTo(0);
    this.stage.classList.add("playing");
    this.timer = setInterval(() => {
      if (this.step < this.rows.length - 1) this.moveTo(this.step + 1);
      if (this.step === this.rows.length - 1) this.pause();
    }, PAUSE);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.stage.classList.remove("playing");
  }

  go(step) {
    this.pause();
    this.moveTo(step);
  }

  moveTo(step) {
    this.step = step;
    this.show();
  }

  point(look) {
    this.look = look;
    this.show();
  }

  fill(slot, value) {
    this.stage.querySelectorAll(`[data-slot="${slot}"]`).forEach((element) => (element.textContent = value));
  }

  /** Bring everything in line with the step and with what is pointed at. */
  show() {
    const { row, column } = this.look;
    this.row = row ?? this.step;
    this.byColumn = column !== undefined && row === undefined;
    this.rows.forEach((element, i) => {
      element.classList.toggle("current", i === this.step);
      element.classList.toggle("later", i > this.step);
      element.classList.toggle("seen", i === row);
      if (i === this.step) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
      this.cells[i].forEach((cell, j) => cell.classList.toggle("seen", j === column));
    });
    this.columns.forEach((header, j) => header.classList.toggle("seen", j === column));
    this.sources.forEach((chip, j) => this.shade(chip, this.byColumn ? null : this.cells[this.row][j], j === column, this.sourceTab() === j));
    this.targets.forEach((chip, i) => {
      this.shade(chip, this.byColumn ? this.cells[i][column] : null, this.byColumn ? false : i === this.row, i === this.step);
      chip.classList.toggle("later", i > this.step && !(i === row));
      if (!this.byColumn) chip.querySelector(".number").textContent = `p ${this.rows[i].querySelector("td.p").textContent}`;
    });
    this.tell();
    this.draw();
  }

  /** The one source piece that the Tab key reaches; the arrow keys go on from there. */
  sourceTab() {
    return Math.max(0, this.sources.indexOf(document.activeElement));
  }

  shade(chip, cell, isCurrent, isTabStop) {
    const later = chip.classList.contains("later");
    chip.className = cell ? `chip w${cell.dataset.level}` : "chip";
    chip.classList.toggle("later", later);
    chip.classList.toggle("current", isCurrent);
    chip.tabIndex = isTabStop ? 0 : -1;
    chip.querySelector(".number").textContent = cell ? Number(cell.dataset.weight).toFixed(2) : "";
  }

  /** The sentence below the stage, and the buttons that lead nowhere. */
  tell() {
    const most = this.most[this.step];
    this.fill("step", this.step + 1);
    this.fill("piece", this.targets[this.step].firstChild.textContent);
    this.fill("probability", this.rows[this.step].querySelector("td.p").textContent);
    if (most >= 0) {
      this.fill("most", this.sources[most].firstChild.textContent);
      this.fill("weight", this.weights[this.step][most].toFixed(2));
    }
    const ends = { first: 0, back: 0, forward: this.rows.length - 1, last: this.rows.length - 1 };
    for (const [go, end] of Object.entries(ends)) {
      this.stage.querySelector(`[data-go="${go}"]`).setAttribute("aria-disabled", String(this.step === end));
    }
  }

  /** The lines of the row, or of the column as far as it is written. */
  draw() {
    this.lines.replaceChildren();
    if (this.most[0] < 0 || !this.element.offsetParent) return;
    const frame = this.lines.getBoundingClientRect();
    const { column } = this.look;
    const written = this.rows.slice(0, this.step + 1);
    const pairs = this.byColumn ? written.map((_, i) => [i, column]) : this.columns.map((_, j) => [this.row, j]);
    for (const [i, j] of pairs) {
      const weight = this.weights[i][j];
      if (weight < LEAST) continue;
      const from = this.sources[j].getBoundingClientRect();
      const to = this.targets[i].getBoundingClientRect();
      const [x, y] = [from.left + from.width / 2 - frame.left, from.bottom - frame.top];
      const [u, v] = [to.left + to.width / 2 - frame.left, to.top - frame.top];
      const bend = Math.max(20, (v - y) / 2);
      const line = document.createElementNS(SVG, "path");
      line.setAttribute("d", `M${x} ${y}C${x} ${y + bend} ${u} ${v - bend} ${u} ${v}`);
      line.setAttribute("stroke-width", String(Math.max(1, weight * WIDEST)));
      line.setAttribute("stroke-opacity", String(0.25 + 0.6 * weight));
      line.dataset.row = i;
      line.dataset.column = j;
      this.lines.append(line);
    }
  }
}

const views = [...document.querySelectorAll(".view")].filter((element) => element.querySelector("tbody")).map((element) => new View(element));

function choose(kind, value) {
  if (kind === "view") document.body.dataset.view = value;
  else {
    document.documentElement.dataset.language = value;
    document.documentElement.lang = value;
  }
  document.querySelectorAll(`[data-choose-${kind}]`).forEach((button) => {
    button.setAttribute("aria-pressed", String(button.getAttribute(`data-choose-${kind}`) === value));
  });
  document.querySelectorAll(".view").forEach((element) => (element.hidden = element.dataset.view !== document.body.dataset.view));
  views.forEach((view) => view.draw());
}

for (const kind of ["view", "language"]) {
  document.querySelectorAll(`[data-choose-${kind}]`).forEach((button) => {
    button.addEventListener("click", () => choose(kind, button.getAttribute(`data-choose-${kind}`)));
  });
}
choose("language", navigator.language.startsWith("ko") ? "ko" : "en");
choose("view", document.body.dataset.view);

// Paper has other widths than the window.
matchMedia("print").addEventListener("change", () => views.forEach((view) => view.draw()));

// Arrow keys outside any sentence play the one that is in sight.
document.addEventListener("keydown", (event) => {
  if (event.target.closest(".view")) return;
  const shown = views.filter((view) => view.element.offsetParent);
  const middle = window.innerHeight / 2;
  const away = (view) => {
    const { top, bottom } = view.element.getBoundingClientRect();
    return Math.max(0, top - middle, middle - bottom);
  };
  shown.sort((one, other) => away(one) - away(other))[0]?.key(event);
});

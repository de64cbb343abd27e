"use strict";
// The page works without this script: it has a table for each sentence. The script reads the tables
// and puts an animated view, the stage, above each. It writes no markup: text from a table always
// becomes the text of an element.

const STEP_TIME = 1200; // milliseconds per step when playing
const MIN_WEIGHT = 0.02; // a smaller weight gets no line
const MAX_LINE_WIDTH = 16; // pixels, for a weight of 1
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
    const isMost = (cell) => cell.classList.contains("most");
    this.most = this.cells.map((row) => row.findIndex(isMost)); // -1: no weight is highlighted
    this.step = 0; // the row that is being written
    this.pointed = {}; // the row or the column that is pointed at
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
    const [sources, targets] = stage.querySelectorAll("ol");
    const label = (row) => row.querySelector("th").textContent;
    this.sources = this.columns.map((header) => this.chip(header.textContent, sources));
    this.targets = this.rows.map((row) => this.chip(label(row), targets));
    this.targets.forEach((chip, i) => {
      const percent = 100 * Number(this.rows[i].dataset.probability);
      make("span", "sure", chip).style.width = `${percent}%`;
    });
    stage.querySelectorAll("h3").forEach((heading) => {
      heading.id = `list-${document.querySelectorAll("ol[aria-labelledby]").length}`;
      heading.nextElementSibling.setAttribute("aria-labelledby", heading.id);
    });
    this.fill("steps", this.rows.length);
    const remove = (selector) => stage.querySelectorAll(selector).forEach((part) => part.remove());
    if (this.most[0] < 0) remove(".most");
    if (!this.columns.length) remove(".source, h3:first-of-type");
  }

  chip(text, list) {
    const button = make("button", "chip", make("li", "", list));
    button.type = "button";
    make("bdi", "", button).textContent = text;
    make("span", "number", button);
    return button;
  }

  listen() {
    const watch = (element, pointed) => {
      const on = () => this.point(pointed);
      const off = () => this.point({});
      for (const name of ["mouseenter", "focus"]) element.addEventListener(name, on);
      for (const name of ["mouseleave", "blur"]) element.addEventListener(name, off);
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
    this.stage.querySelectorAll("[data-go]").forEach((button) => {
      button.addEventListener("click", () => this.press(button.dataset.go));
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest(".scroll")) return;
    const go = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" }[event.key];
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    const column = this.sources.indexOf(event.target);
    if (column >= 0) this.sources[this.moved(go, column, this.sources.length)].focus();
    else this.press(go);
    if (this.targets.includes(event.target)) this.targets[this.step].focus();
  }

  /** The index that a button or key leads to. */
  moved(go, from, count) {
    const last = count - 1;
    const forward = Math.min(last, from + 1);
    return { first: 0, back: Math.max(0, from - 1), forward, last }[go];
  }

  press(go) {
    if (go !== "play") return this.go(this.moved(go, this.step, this.rows.length));
    if (this.timer) return this.pause();
    if (this.step === this.rows.length - 1) this.moveTo(0);
    this.stage.classList.add("playing");
    this.timer = setInterval(() => {
      if (this.step < this.rows.length - 1) this.moveTo(this.step + 1);
      if (this.step === this.rows.length - 1) this.pause();
    }, STEP_TIME);
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

  point(pointed) {
    this.pointed = pointed;
    this.show();
  }

  fill(slot, value) {
    for (const element of this.stage.querySelectorAll(`[data-slot="${slot}"]`)) {
      element.textContent = value;
    }
  }

  /** The probability of a row, as its table shows it. */
  probability(row) {
    return this.rows[row].querySelector("td.p").textContent;
  }

  /** Update everything to the current step and to what is pointed at. */
  show() {
    const { row, column } = this.pointed;
    this.row = row ?? this.step;
    this.byColumn = column !== undefined && row === undefined;
    this.showTable();
    this.sources.forEach((chip, j) => {
      const cell = this.byColumn ? null : this.cells[this.row][j];
      this.shade(chip, cell, j === column, this.sourceTabStop() === j);
    });
    this.targets.forEach((chip, i) => {
      const cell = this.byColumn ? this.cells[i][column] : null;
      this.shade(chip, cell, !this.byColumn && i === this.row, i === this.step);
      chip.classList.toggle("later", i > this.step && i !== row);
      if (!this.byColumn) chip.querySelector(".number").textContent = `p ${this.probability(i)}`;
    });
    this.describe();
    this.draw();
  }

  showTable() {
    const { row, column } = this.pointed;
    this.rows.forEach((element, i) => {
      element.classList.toggle("current", i === this.step);
      element.classList.toggle("later", i > this.step);
      element.classList.toggle("seen", i === row);
      if (i === this.step) element.setAttribute("aria-current", "step");
      else element.removeAttribute("aria-current");
      this.cells[i].forEach((cell, j) => cell.classList.toggle("seen", j === column));
    });
    this.columns.forEach((header, j) => header.classList.toggle("seen", j === column));
  }

  /** The only source piece that the Tab key reaches; the arrow keys reach the others from there. */
  sourceTabStop() {
    return Math.max(0, this.sources.indexOf(document.activeElement));
  }

  shade(chip, cell, isCurrent, isTabStop) {
    const later = chip.classList.contains("later");
    chip.className = cell ? `chip w${cell.dataset.level}` : "chip";
    chip.classList.toggle("later", later);
    chip.classList.toggle("current", isCurrent);
    chip.tabIndex = isTabStop ? 0 : -1;
    const number = chip.querySelector(".number");
    number.textContent = cell ? Number(cell.dataset.weight).toFixed(2) : "";
  }

  /** Write the sentence below the stage, and disable the buttons that lead nowhere. */
  describe() {
    const most = this.most[this.step];
    this.fill("step", this.step + 1);
    this.fill("piece", this.targets[this.step].firstChild.textContent);
    this.fill("probability", this.probability(this.step));
    if (most >= 0) {
      this.fill("most", this.sources[most].firstChild.textContent);
      this.fill("weight", this.weights[this.step][most].toFixed(2));
    }
    const last = this.rows.length - 1;
    for (const [go, end] of Object.entries({ first: 0, back: 0, forward: last, last })) {
      const button = this.stage.querySelector(`[data-go="${go}"]`);
      button.setAttribute("aria-disabled", String(this.step === end));
    }
  }

  /** Draw the lines of the row, or of the column up to the current step. */
  draw() {
    this.lines.replaceChildren();
    if (this.most[0] < 0 || !this.element.offsetParent) return;
    const { column } = this.pointed;
    const written = this.rows.slice(0, this.step + 1);
    const pairs = this.byColumn
      ? written.map((_, i) => [i, column])
      : this.columns.map((_, j) => [this.row, j]);
    for (const [i, j] of pairs) {
      if (this.weights[i][j] >= MIN_WEIGHT) this.lines.append(this.line(i, j));
    }
  }

  /** A curve from source piece j to target piece i. */
  line(i, j) {
    const weight = this.weights[i][j];
    const frame = this.lines.getBoundingClientRect();
    const from = this.sources[j].getBoundingClientRect();
    const to = this.targets[i].getBoundingClientRect();
    const [x, y] = [from.left + from.width / 2 - frame.left, from.bottom - frame.top];
    const [u, v] = [to.left + to.width / 2 - frame.left, to.top - frame.top];
    const bend = Math.max(20, (v - y) / 2);
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("d", `M${x} ${y}C${x} ${y + bend} ${u} ${v - bend} ${u} ${v}`);
    line.setAttribute("stroke-width", String(Math.max(1, weight * MAX_LINE_WIDTH)));
    line.setAttribute("stroke-opacity", String(0.25 + 0.6 * weight));
    line.dataset.row = i;
    line.dataset.column = j;
    return line;
  }
}

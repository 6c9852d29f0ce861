// A section of the report: cells in columns.

const KINDS = ["entry", "caller", "callee", "cycle", "member", "frame", "inline", "rest", "unattributed", "total"];
// Whether a kind belongs to the row of another.
const BELONGS = KINDS.map((kind) => ["caller", "callee", "member", "frame", "inline"].includes(kind));
const ROWS_IN_BLOCK = data.sections.find((section) => section.blocks.length > 1)?.blocks[0].kinds.length ?? Infinity;
const cellsOf = (text, length, separator = ",") => (text === "" ? new Array(length).fill("") : text.split(separator));

/** Rounds as C's printf does: half to even. */
function fixed(number, decimals) {
  const scaled = number * 10 ** decimals;
  const isTie = Number.isInteger(number * 2 ** (decimals + 1)) && Math.abs(scaled % 1) === 0.5;
  if (!isTie) return number.toFixed(decimals);
  return ((2 * Math.round(scaled / 2)) / 10 ** decimals).toFixed(decimals);
}

/** A section: cells in columns, split when they are first needed. */
class Table {
  constructor(section, index) {
    Object.assign(this, {
      id: section.id,
      summary: section.summary,
      notes: section.notes,
      uncertainty: section.uncertainty || {},
    });
    this.index = index;
    this.folded = section.folded;
    this.blocks = section.blocks;
    this.title = section.title.trim().replace(/:$/, "") || section.id.replaceAll("-", " ");
    this.kinds = section.blocks.map((block) => block.kinds).join("");
    this.length = this.kinds.length;
    // A time that is shown has a unit of its own.
    const headOf = (line, at) =>
      section.blocks.some((block) => block.shown[at])
        ? line
            .trim()
            .replace(/^seconds$/, "time")
            .replace(/^[mun]?s\/call$/, "/call")
        : line.trim();
    this.columns = section.columns
      .map((column, at) => ({
        ...column,
        at,
        unit: column.unit ?? column.head[1]?.trim(),
        head:
          column.head
            .map((line) => headOf(line, at))
            .filter(Boolean)
            .join(" ") || column.id.replaceAll("_", " "),
      }))
      .filter(
        (column) =>
          (column.print && !["marks", "cumulative"].includes(column.role)) ||
          section.blocks.some((block) => block.cells[column.at] !== ""),
      );
    if (this.id === "flat") this.arrangeShares();
    if (this.id === "graph") {
      this.columns.find((column) => column.role === "share" && column.print).head = "total %";
      const inCycle = this.columns.find((column) => column.id === "total_in_cycle");
      if (inCycle) inCycle.head = "within cycle";
    }
    this.cache = new Map();
    this.name =
      this.columns.findLast((column) => column.id === "name") ||
      this.columns.findLast((column) => column.role === "name") ||
      this.columns.findLast((column) => ["source", "other"].includes(column.role) && column.print);
    this.share = this.columns.find((column) => column.role === "share" && column.print);
    this.guess = this.columns.find((column) => column.id === "guess" && column.role === "marks");
  }
  /** The shares of self costs and totals, with one decimal, each beside its cost as on a terminal. */
  arrangeShares() {
    const [own, total] = ["percent", "total_percent"].map((id) => this.columns.find((column) => column.id === id));
    if (!own) return;
    Object.assign(own, { head: "self %", print: { ...own.print, decimals: 1 } });
    const isTotal = (column) => column.role === "total" && column.metric === own.metric;
    const printed = this.columns.findIndex((column) => isTotal(column) && column.print);
    const at =
      printed < 0 ? this.columns.findIndex((column) => isTotal(column) && column.id === "total_seconds") : printed;
    if (!total || at < 0) return;
    const [cost] = this.columns.splice(at, 1);
    if (!cost.print)
      Object.assign(cost, {
        head: "total time",
        print: this.columns.find((column) => column.role === "self" && column.print)?.print,
      });
    total.print = own.print;
    this.columns.splice(this.columns.indexOf(total), 1);
    const before = this.columns.findIndex(
      (column) => ["calls", "per_call", "name"].includes(column.role) && column.print,
    );
    this.columns.splice(before < 0 ? this.columns.length : before, 0, total, cost);
  }
  isGuess(row) {
    return Boolean(this.guess && this.cell(this.guess, row));
  }
  /** The limits of a guess, lower and upper. */
  limits(row) {
    const limits = this.isGuess(row)
      ? this.columns
          .filter((column) => column.role === "limit" && column.id.startsWith("total_"))
          .map((column) => this.shown(column, row))
      : [];
    return limits.length === 2 ? limits.join(" to ") : "";
  }
  once(key, make) {
    if (!this.cache.has(key)) this.cache.set(key, make());
    return this.cache.get(key);
  }
  column(id) {
    return this.columns.find((column) => column.id === id);
  }
  kindNumber(row) {
    return this.kinds.charCodeAt(row) - 48;
  }
  kind(row) {
    return KINDS[this.kindNumber(row)];
  }
  belongs(row) {
    return BELONGS[this.kindNumber(row)];
  }
  /** The end of the rows that belong to a row. */
  end(row) {
    let next = row + 1;
    while (next < this.length && this.belongs(next)) next++;
    return next;
  }
  /** A cell, from its block alone; of what is shown if it differs, or else empty. */
  cell({ at }, row, part = "cells") {
    const number = ROWS_IN_BLOCK === Infinity ? 0 : Math.floor(row / ROWS_IN_BLOCK);
    const cells = this.once(`${part} of ${at} ${number}`, () =>
      cellsOf(this.blocks[number][part][at], this.blocks[number].kinds.length, part === "cells" ? "," : "|"),
    );
    return cells[row - (number && number * ROWS_IN_BLOCK)];
  }
  cells({ at }) {
    return this.once(`cells ${at}`, () =>
      this.blocks.flatMap((block) => cellsOf(block.cells[at], block.kinds.length)),
    );
  }
  numbers(column) {
    return this.once(`numbers ${column.at}`, () =>
      Float64Array.from(this.cells(column), (cell) => (cell === "" ? NaN : Number(cell))),
    );
  }
  isText(column) {
    return this.once(`text ${column.at}`, () => this.blocks.some((block) => /[@$]/.test(block.cells[column.at])));
  }
  /** Whether no number of a column would be shown as other than 0. */
  isZero(column) {
    return this.once(`zero ${column.at}`, () => {
      if (this.isText(column) || this.blocks.every((block) => !/[1-9]/.test(block.cells[column.at])))
        return !this.isText(column);
      for (let row = 0; row < this.length; row++) if (/[1-9]/.test(this.shown(column, row))) return false;
      return true;
    });
  }
  /** The number of the text of each row, or -1. */
  textNumbers(column) {
    return this.once(`texts ${column.at}`, () =>
      Int32Array.from(this.cells(column), (cell) =>
        cell[0] === "@" ? Number(nameOf[cell.slice(1)]) : cell[0] === "$" ? Number(cell.slice(1)) : -1,
      ),
    );
  }
  /** The place of each row in ascending order of a column, or -1; equal rows have one place. */
  ranks(column) {
    return this.once(`ranks ${column.at}`, () => {
      if (this.isText(column))
        return {
          ranks: Int32Array.from(this.textNumbers(column), (number) => (number < 0 ? -1 : textRanks()[number])),
          n_ranks: texts.length,
        };
      const numbers = this.numbers(column);
      // Typed arrays of numbers are sorted much faster than with a function that compares.
      const values = numbers.slice().sort();
      let n_ranks = 0;
      for (const value of values)
        if (value === value && (n_ranks === 0 || value !== values[n_ranks - 1])) values[n_ranks++] = value;
      const ranks = new Int32Array(this.length).fill(-1);
      for (let row = 0; row < this.length; row++) {
        if (numbers[row] !== numbers[row]) continue;
        let low = 0;
        let high = n_ranks - 1;
        while (low < high) {
          const middle = (low + high) >> 1;
          if (values[middle] < numbers[row]) low = middle + 1;
          else high = middle;
        }
        ranks[row] = low;
      }
      return { ranks, n_ranks };
    });
  }
  nameId(column, row) {
    const cell = this.cell(column, row);
    return cell[0] === "@" ? Number(cell.slice(1)) : -1;
  }
  /** A cell as text shows it. */
  shown(column, row) {
    const cell = this.cell(column, row);
    if (cell === "") return "";
    if (cell[0] === "@") return nameText(cell.slice(1));
    if (cell[0] === "$") return texts[cell.slice(1)];
    const inUnits = this.cell(column, row, "shown");
    if (inUnits) return inUnits;
    const number = Number(cell);
    const isSigned = column.print?.signed || (column.role === "change" && column.print);
    if (!/[.eE]/.test(cell)) return isSigned && number > 0 ? `+${cell}` : cell;
    const text =
      column.print || column.role === "limit"
        ? fixed(number, column.print?.decimals ?? 2)
        : column.role === "share"
          ? fixed(number, 1)
          : cell;
    return isSigned && number > 0 ? `+${text}` : text;
  }
  /** The rows that start a group; those that belong to it follow. */
  get heads() {
    return this.once("heads", () => {
      const heads = [];
      for (let row = 0; row < this.length; row++) if (row === 0 || !this.belongs(row)) heads.push(row);
      return Uint32Array.from(heads);
    });
  }
}

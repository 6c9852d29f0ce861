"use strict";
// Shows the report in the element `data`: views of its sections, chosen by the fragment of the
// address. It sorts, searches and draws; each number is a cell of the report. All text goes
// through `make` or `clean`, so that no name is ever markup.
(() => {
  performance.mark("start");
  const data = JSON.parse(document.getElementById("data").textContent);
  performance.mark("parsed");

  // Control characters and invisible ones, as the report escapes them in names.
  const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
  const escaped = (letter) => {
    const code = letter.codePointAt(0).toString(16);
    return code.length < 3 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`;
  };
  const clean = (text) => String(text).replace(UNSEEN, escaped);

  /** An element with attributes and children; children that are no elements are text. */
  function make(tag, attributes = {}, ...children) {
    const name = tag.startsWith("svg:") ? tag.slice(4) : null;
    const element = name ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value === true) element.setAttribute(key, "");
      else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
    }
    element.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined).map((one) => (one instanceof Node ? one : clean(one))));
    return element;
  }

  const list = (tag, sentences) => sentences.map((one) => make(tag, {}, withCode(one))).flat();

  /** A sentence, with text between backticks as code. */
  function withCode(sentence) {
    return String(sentence).split("`").map((part, index, all) => (index % 2 && index < all.length - 1 ? make("code", {}, part) : part));
  }

  const grouped = (number) => number.toLocaleString("en-US");
  const plural = (number, one, many) => `${grouped(number)} ${number === 1 ? one : many}`;

  // ---- The report ----

  const KINDS = ["entry", "caller", "callee", "cycle", "member", "frame", "inline", "rest", "unattributed", "total"];
  // Whether a kind belongs to the row of another.
  const BELONGS = KINDS.map((kind) => ["caller", "callee", "member", "frame", "inline"].includes(kind));
  const ROWS_IN_BLOCK = data.sections.find((section) => section.blocks.length > 1)?.blocks[0].kinds.length ?? Infinity;
  const cellsOf = (text, length, separator = ",") => (text === "" ? new Array(length).fill("") : text.split(separator));

  const [nameOf, fileOf, lineOf, objectOf, , shortOf] = data.names.map((column) => column.split(","));
  const texts = data.texts;
  const textAt = (number) => (number ? texts[number] : "");
  const nameText = (id) => texts[nameOf[id]];
  const shortName = (id) => texts[shortOf[id] || nameOf[id]];
  const origin = (id) => {
    const file = textAt(fileOf[id]);
    const place = file && lineOf[id] ? `${file}:${lineOf[id]}` : file;
    return [textAt(objectOf[id]), place].filter(Boolean).join(" ");
  };

  const hasObjects = new Set((objectOf ?? []).filter(Boolean)).size > 1;
  const baseName = (path) => path.split(/[\\/]/).at(-1);

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
      Object.assign(this, { id: section.id, summary: section.summary, notes: section.notes, uncertainty: section.uncertainty || {} });
      this.index = index;
      this.leftOut = section.left_out;
      this.blocks = section.blocks;
      this.title = section.title.trim().replace(/:$/, "") || section.id.replaceAll("-", " ");
      this.kinds = section.blocks.map((block) => block.kinds).join("");
      this.length = this.kinds.length;
      // A time that is shown has a unit of its own.
      const headOf = (line, at) => (section.blocks.some((block) => block.shown[at]) ? line.trim().replace(/^seconds$/, "time").replace(/^[mun]?s\/call$/, "/call") : line.trim());
      this.columns = section.columns.map((column, at) => ({ ...column, at, head: column.head.map((line) => headOf(line, at)).filter(Boolean).join(" ") || column.id.replaceAll("_", " ") }))
        .filter((column) => (column.print && !["marks", "cumulative"].includes(column.role)) || section.blocks.some((block) => block.cells[column.at] !== ""));
      if (this.id === "flat") this.arrangeShares();
      this.cache = new Map();
      this.name = this.columns.findLast((column) => column.id === "name") || this.columns.findLast((column) => column.role === "name") || this.columns.findLast((column) => ["source", "other"].includes(column.role) && column.print);
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
      const at = printed < 0 ? this.columns.findIndex((column) => isTotal(column) && column.id === "total_seconds") : printed;
      if (!total || at < 0) return;
      const [cost] = this.columns.splice(at, 1);
      if (!cost.print) Object.assign(cost, { head: "total time", print: this.columns.find((column) => column.role === "self" && column.print)?.print });
      total.print = own.print;
      this.columns.splice(this.columns.indexOf(total), 1);
      const before = this.columns.findIndex((column) => ["calls", "per_call", "name"].includes(column.role) && column.print);
      this.columns.splice(before < 0 ? this.columns.length : before, 0, total, cost);
    }
    isGuess(row) {
      return Boolean(this.guess && this.cell(this.guess, row));
    }
    /** The limits of a guess, lower and upper. */
    limits(row) {
      const limits = this.isGuess(row) ? this.columns.filter((column) => column.role === "limit" && column.id.startsWith("total_")).map((column) => this.shown(column, row)) : [];
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
      const cells = this.once(`${part} of ${at} ${number}`, () => cellsOf(this.blocks[number][part][at], this.blocks[number].kinds.length, part === "cells" ? "," : "|"));
      return cells[row - (number && number * ROWS_IN_BLOCK)];
    }
    cells({ at }) {
      return this.once(`cells ${at}`, () => this.blocks.flatMap((block) => cellsOf(block.cells[at], block.kinds.length)));
    }
    numbers(column) {
      return this.once(`numbers ${column.at}`, () => Float64Array.from(this.cells(column), (cell) => (cell === "" ? NaN : Number(cell))));
    }
    isText(column) {
      return this.once(`text ${column.at}`, () => this.blocks.some((block) => /[@$]/.test(block.cells[column.at])));
    }
    /** Whether no number of a column would be shown as other than 0. */
    isZero(column) {
      return this.once(`zero ${column.at}`, () => {
        if (this.isText(column) || this.blocks.every((block) => !/[1-9]/.test(block.cells[column.at]))) return !this.isText(column);
        for (let row = 0; row < this.length; row++) if (/[1-9]/.test(this.shown(column, row))) return false;
        return true;
      });
    }
    /** The number of the text of each row, or -1. */
    textNumbers(column) {
      return this.once(`texts ${column.at}`, () =>
        Int32Array.from(this.cells(column), (cell) => (cell[0] === "@" ? Number(nameOf[cell.slice(1)]) : cell[0] === "$" ? Number(cell.slice(1)) : -1)));
    }
    /** The place of each row in ascending order of a column, or -1; equal rows have one place. */
    ranks(column) {
      return this.once(`ranks ${column.at}`, () => {
        if (this.isText(column)) return { ranks: Int32Array.from(this.textNumbers(column), (number) => (number < 0 ? -1 : textRanks()[number])), n_ranks: texts.length };
        const numbers = this.numbers(column);
        // Typed arrays of numbers are sorted much faster than with a function that compares.
        const values = numbers.slice().sort();
        let n_ranks = 0;
        for (const value of values) if (value === value && (n_ranks === 0 || value !== values[n_ranks - 1])) values[n_ranks++] = value;
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
      const text = column.print || column.role === "limit" ? fixed(number, column.print?.decimals ?? 2) : cell;
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

  const tables = data.sections.map((section, index) => new Table(section, index));
  const tableOf = (id) => tables.find((table) => table.id === id);
  const flat = tableOf("flat");
  const byFile = tableOf("by-file");
  const tree = tableOf("tree") || tableOf("tree-difference");

  const graphTable = tableOf("graph");
  const once = (make) => {
    let made;
    return () => (made ??= make());
  };

  // Files that are columns, and those of them that are shown at first.
  const MOST_FILES = 200;
  const FIRST_FILES = 12;

  /** Files side by side: a row for each function, a column for each file with the cost there. */
  const runs = once(() => {
    const cost = byFile.columns.find((column) => column.role === "self");
    const rank = byFile.column("rank");
    const [files, ranks, names, costs] = [byFile.column("profile"), rank, byFile.name, cost].map((column) => column && byFile.cells(column));
    const rowOf = new Map();
    const spread = tableOf("spread");
    for (const name of [...(spread ? spread.cells(spread.name) : []), ...names]) if (name !== "" && !rowOf.has(name) && texts[nameOf[name.slice(1)]] !== "<all>") rowOf.set(name, rowOf.size);
    const columnOf = new Map();
    const columns = [];
    const [cells, shown] = [[], []];
    files.forEach((file, row) => {
      if (!columnOf.has(file)) {
        columnOf.set(file, columns.length);
        if (columns.length === MOST_FILES) return;
        const label = ranks?.[row] ? `rank ${byFile.shown(rank, row)}` : texts[file.slice(1)];
        columns.push({ ...cost, id: `file ${columns.length}`, role: "run", head: [label], print: columns.length < FIRST_FILES ? cost.print : null, decimals: cost.print.decimals });
        for (const texts of [cells, shown]) texts.push(new Array(rowOf.size).fill(""));
      }
      const [at, function_] = [columnOf.get(file), rowOf.get(names[row])];
      if (!cells[at]) return;
      cells[at][function_] = costs[row];
      shown[at][function_] = byFile.cell(cost, row, "shown");
    });
    const isWhole = columnOf.size <= MOST_FILES;
    const notes = [`Numbers are self ${cost.head.replace(/^self /, "")}; empty cells have none. Colours mark 10, 25 and 50 % more than the mean of a row.`, ...(isWhole ? [] : [`The first ${MOST_FILES} of ${columnOf.size} files.`])];
    columns.push({ ...byFile.name, head: ["name"] });
    cells.push([...rowOf.keys()]);
    const blocks = [{ kinds: "0".repeat(rowOf.size), cells: cells.map((column) => column.join(",")), shown: [...shown.map((column) => column.join("|")), ""] }];
    return new Table({ id: "runs", title: "Files side by side", summary: notes, notes: byFile.notes, columns, blocks }, tables.length);
  });

  /** The rows of a function by file. */
  const rowsByFile = once(() => {
    const rows = new Map();
    byFile?.cells(byFile.name).forEach((name, row) => (rows.has(name) ? rows.get(name).push(row) : rows.set(name, [row])));
    return rows;
  });

  /** The cost of a function in each file, with a line at each lasting change. */
  function historyOf(cell) {
    const trend = tableOf("trend");
    const rows = rowsByFile().get(cell);
    if (!trend || !rows) return null;
    const cost = byFile.columns.find((column) => column.role === "self");
    const [files, numbers] = [byFile.cells(byFile.column("profile")), byFile.numbers(cost)];
    const costs = new Map(files.map((file) => [file, 0]));
    for (const row of rows) costs.set(files[row], numbers[row]);
    const heights = [...costs.values()];
    const points = heights.flatMap((height, at) => [[at, height], [at + 1, height]]);
    // Programs have files of their own.
    const starts = trend.column("program") ? [] : trend.numbers(trend.column("file_number"));
    const marks = Array.from(starts, (start) => start - 1).filter((_, row) => trend.cells(trend.name)[row] === cell);
    return chart(points, heights.length, heights.reduce((a, b) => Math.max(a, b)), `${byFile.shown(byFile.name, rows[0])}: ${cost.head} in each of ${plural(heights.length, "file", "files")}`, marks, "dashed lines are lasting changes");
  }

  // Steps of changes, as flame graphs of `--format svg` have them.
  const CHANGES = ["at least 20 % less, or gone", "less", "less than 2 % more or less", "more", "at least 20 % more, or new"];

  /** The step of a frame of a difference, and its change in words. */
  function changeOf(row) {
    const column = tree.column("change_percent");
    const cell = tree.cell(column, row);
    if (cell === "") return [4, "new"];
    const percent = Number(cell);
    return [percent >= 20 ? 4 : percent >= 2 ? 3 : percent <= -20 ? 0 : percent <= -2 ? 1 : 2, `${tree.shown(column, row)} %`];
  }
  const isOfSides = tree?.id === "tree-difference";

  /** The groups of the call graph: callers, entry, callees; by name. */
  const graph = once(() => {
    const table = graphTable;
    const units = [];
    const ofName = new Map();
    let start = 0;
    const CALLER = KINDS.indexOf("caller");
    for (let row = 0; row < table.length; row++) {
      const isBehindCaller = row > 0 && table.kindNumber(row - 1) === CALLER;
      const isHead = !table.belongs(row);
      if (!isBehindCaller && (isHead || table.kindNumber(row) === CALLER)) start = row;
      if (!isHead) continue;
      if (units.length) units.at(-1).end = start;
      const unit = { start, head: row, end: table.length };
      const cell = table.cells(table.name)[row];
      if (!ofName.has(cell)) ofName.set(cell, unit);
      units.push(unit);
    }
    return { units, ofName };
  });

  // ---- Addresses of functions ----

  // Functions of one name have one text.
  const numbersOfNames = once(() => Uint32Array.from(nameOf, Number));
  const namesakes = once(() => {
    const counts = new Uint32Array(texts.length);
    for (const number of numbersOfNames()) counts[number]++;
    return counts;
  });
  const functionsOf = (number) => Array.from(numbersOfNames().keys()).filter((id) => numbersOfNames()[id] === number);

  const ofOrigin = (number, place) => functionsOf(number).filter((id) => origin(id) === place);

  /** The address of a function: its name, where it is from if others have the name, and its number among those. */
  function addressOfFunction(id) {
    const number = Number(nameOf[id]);
    if (namesakes()[number] === 1) return { f: texts[number] };
    const place = ofOrigin(number, origin(id)).indexOf(id);
    return { f: texts[number], in: origin(id), k: place > 0 ? place + 1 : undefined };
  }

  /** The function of an address, or undefined; without its origin, the first of its name. */
  function functionAt(name, place, number) {
    const text = texts.indexOf(name);
    const all = text < 0 ? [] : functionsOf(text);
    return (place === null ? all : ofOrigin(text, place))[(Number(number) || 1) - 1] ?? all[0];
  }

  /** A fragment: a view, and what is chosen in it. */
  const fragment = (view, parameters) => `#${[view, ...Object.entries(parameters).filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)].filter(Boolean).join("&")}`;
  const linkTo = (id) => fragment("", addressOfFunction(id));

  // What the address holds: the view, and what is chosen in it. Nobody else has this state.
  let view = "";
  let parameters = new URLSearchParams();
  let searched = "";
  /** The function that is selected in every view. */
  let selected;
  function readParameters() {
    searched = parameters.get("q") ?? "";
    selected = parameters.has("f") ? functionAt(parameters.get("f"), parameters.get("in"), parameters.get("k")) : undefined;
  }
  function readAddress() {
    const hash = location.hash.slice(1);
    parameters = new URLSearchParams(hash.replaceAll("+", "%2B"));
    view = /^[^=&]*(?=&|$)/.exec(hash)?.[0] ?? "";
    parameters.delete(view);
    readParameters();
  }
  /** Changes the address: in place, or as a step that the browser's back button undoes. */
  function keep(changes, isStep = false) {
    for (const [key, value] of Object.entries(changes)) value === undefined ? parameters.delete(key) : parameters.set(key, value);
    readParameters();
    const address = fragment(view, Object.fromEntries(parameters));
    if (address !== (location.hash || "#")) history[isStep ? "pushState" : "replaceState"](null, "", address);
    markLinks();
  }
  const selection = (id) => (id < 0 ? {} : { in: undefined, k: undefined, ...addressOfFunction(id) });

  // ---- Commands ----

  const BY_FILE = ["--by-file=rows", "--format", "csv"];
  const OPTIONS = {
    flat: ["-p"], run: ["-p"], graph: ["-q"], index: ["-q"], tree: ["--tree"], leaks: ["--leaks"], sizes: ["--bins"], counts: ["-C"],
    source: ["-A"], "source-top": ["-A"], "source-summary": ["-A"], "source-files": ["-A"], coverage: ["--coverage"], "heap-peak": ["--peak"],
    "heap-temporary": ["--temporary"], "heap-snapshots": ["--trace"], files: ["-i"], spread: ["--by-file"], "spread-files": ["--by-file"],
    "by-file": BY_FILE, runs: BY_FILE, trend: ["--trend"], "tree-difference": ["--tree"],
  };
  const optionsOf = (id) => OPTIONS[id] || (id.startsWith("trace") ? ["--trace"] : id.startsWith("coverage") ? ["--coverage"] : []);
  const quoted = (word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

  /** The command that prints a view, as a shell reads it; empty if no shell could. */
  function command(...options) {
    if (!data.command.length) return "";
    const isDiff = data.command[0] === "diff";
    const given = (isDiff ? data.command.slice(1) : data.command).filter((word) => !(options[0] === BY_FILE[0] && word.startsWith("--by-file")));
    const words = ["profan", ...(isDiff ? ["diff"] : []), ...options.filter((option) => !given.includes(option)), ...given];
    return words.some((word) => clean(word) !== word) ? "" : words.map(quoted).join(" ");
  }

  function copyable(text) {
    if (!text) return null;
    const code = make("code", { tabindex: 0, "aria-label": `Command: ${clean(text)}` }, text);
    const output = make("span", { role: "status" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        getSelection().selectAllChildren(code);
        document.execCommand("copy");
      }
      output.textContent = "copied";
    };
    return make("p", { class: "command" }, make("span", {}, "In a terminal: "), code, " ", make("button", { type: "button", onclick: copy }, "Copy"), " ", output);
  }

  // ---- Search ----

  const lowered = once(() => texts.map((text) => text.toLowerCase()));
  /** The place of each text in the order of all. */
  const textRanks = once(() => {
    const places = new Map();
    for (const text of texts.slice().sort()) if (!places.has(text)) places.set(text, places.size);
    return Uint32Array.from(texts, (text) => places.get(text));
  });

  /** A function that tells which texts match: part of a text, or an /expression/. */
  function matcher(wanted) {
    if (wanted === "") return null;
    let test;
    const expression = /^\/(.+)\/$/.exec(wanted);
    try {
      const pattern = expression && new RegExp(expression[1], "i");
      const lower = wanted.toLowerCase();
      test = pattern ? (number) => pattern.test(texts[number]) : (number) => lowered()[number].includes(lower);
    } catch {
      test = () => false;
    }
    // Of each text once: 0 unknown, 1 no, 2 yes.
    const known = new Uint8Array(texts.length);
    return (number) => {
      if (number < 0) return false;
      if (!known[number]) known[number] = test(number) ? 2 : 1;
      return known[number] === 2;
    };
  }

  function searchField(onSearch) {
    const input = make("input", { type: "search", value: searched, class: "search", autocomplete: "off", spellcheck: "false", "aria-label": "Search names: text or /expression/", placeholder: "Search: text or /expression/" });
    input.addEventListener("input", () => {
      keep({ q: input.value.trim() || undefined });
      performance.mark("search");
      onSearch();
      performance.measure("searched", "search");
    });
    return input;
  }

  // ---- Tables ----

  const TOTAL = KINDS.indexOf("total");
  // This kind and those behind it are no functions.
  const REST = KINDS.indexOf("rest");
  const SUMS = KINDS.map((kind) => kind === "total" || kind === "rest");
  const isNarrow = () => matchMedia("(max-width: 40rem)").matches;
  const views = new Set();
  // Width of a letter of names in tables.
  const LETTER = 7.9;
  const WORSE = new Set(["slower", "more", "new", "grew", "larger"]);
  const BETTER = new Set(["faster", "fewer", "less", "gone", "shrank", "smaller"]);

  /** A name in so many letters: as many of its last components as fit, or the start of the last one. */
  function fitted(text, letters) {
    if ([...text].length <= letters) return text;
    const starts = [0];
    let depth = 0;
    const bare = text.replace(/(\.(constprop|isra|part|cold|lto_priv|llvm|clone)(\.\d+)?)+$/, "");
    for (let at = 0; at < bare.length && starts.length < 1000; at++) {
      if ("<([{".includes(bare[at])) depth++;
      else if (">)]}".includes(bare[at])) depth = Math.max(0, depth - 1);
      else if (depth === 0 && /^(::|[./ ])[^\s:./]/.test(bare.slice(at, at + 3))) starts.push(at + (bare[at] === ":" ? 2 : 1));
    }
    const fits = (start) => [...bare.slice(start)].length <= letters;
    const first = starts.findIndex(fits);
    // A short component tells less than the start of the one before it.
    const hasRoom = first > 0 && bare.length - starts[first] >= letters / 3;
    const start = first === 0 || hasRoom ? starts[first] : starts[first < 0 ? starts.length - 1 : first - 1];
    if (fits(start)) return bare.slice(start);
    return letters < 3 ? "" : `${[...bare.slice(start)].slice(0, letters - 1).join("")}…`;
  }

  /** Rows of a table, made when they come into view. */
  class TableView {
    constructor(table, { rows = null, canSort = true, columns = null, label = table.title, isWhole = false } = {}) {
      Object.assign(this, { table, rows, canSort, label, isWhole });
      this.depth = table === tree ? table.column("depth") : null;
      this.closed = new Set();
      this.hidesMatches = false;
      this.sort = null;
      this.isAscending = false;
      this.current = 0;
      this.hasError = false;
      this.chosen = columns ? new Set(columns) : null;
      this.body = make("tbody");
      this.headRow = make("tr");
      this.group = make("colgroup");
      const role = this.depth ? "treegrid" : "grid";
      this.grid = make("table", { role, "aria-label": clean(label) }, this.group, make("thead", {}, this.headRow), this.body);
      this.scroll = make("div", { class: isWhole ? "rows whole" : "rows" }, this.grid);
      this.status = make("p", { role: "status", class: "status" });
      this.scroll.addEventListener("scroll", () => {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.draw());
      });
      this.grid.addEventListener("keydown", (event) => this.onKey(event));
      this.body.addEventListener("click", (event) => this.onClick(event));
      if (this.depth) this.closeSmall();
      views.add(this);
    }

    get columns() {
      const { table, hasError } = this;
      const isUsual = (column) => {
        if (column === table.guess) return !hasError || !table.column("marks");
        if (column.role === "limit" || column.role === "marks") return hasError || Boolean(column.print);
        return (Boolean(column.print) && column.role !== "bar" && !table.isZero(column)) || (table.id === "source" && column.id === "line");
      };
      const chosen = this.chosen;
      let shown = table.columns.filter((column) => (chosen ? chosen.has(column.id) : isUsual(column)));
      if (!chosen && isNarrow() && shown.length > 3 && table.id !== "runs") {
        const first = table.share || shown.find((one) => one.id === "change_percent") || shown[0];
        const kept = new Set([first, table.guess, shown.find((one) => one !== first && (["self", "verdict", "total", "count"].includes(one.role) || (this.depth && one.role === "change"))), table.name]);
        shown = shown.filter((column) => kept.has(column) || (hasError && column.role === "limit"));
      }
      return shown.length ? shown : table.columns.slice(0, 3);
    }

    /** The rows to show, in order. */
    arrange() {
      const { table } = this;
      const matches = matcher(this.hasSearch ? searched : "");
      const textColumns = matches ? table.columns.filter((column) => (column.print || column === table.name) && table.isText(column)) : [];
      const numbers = textColumns.map((column) => table.textNumbers(column));
      const isMatch = (row) => {
        for (const column of numbers) if (matches(column[row])) return true;
        return false;
      };
      if (this.depth) return this.arrangeTree(matches && isMatch);
      let groups = this.rows ? Uint32Array.from(this.rows) : table.heads.slice();
      const hasGroups = !this.rows && table.heads.length < table.length;
      if (matches) {
        let share = 0;
        const shares = table.share && table.numbers(table.share);
        let [n, n_kept] = [0, 0];
        for (const row of groups) {
          let found = isMatch(row);
          if (hasGroups && !found) for (let at = row + 1, to = table.end(row); at < to && !found; at++) found = isMatch(at);
          const isSum = SUMS[table.kindNumber(row)];
          if (found && !isSum) {
            n++;
            share += shares?.[row] || 0;
          }
          if (found !== this.hidesMatches || isSum) groups[n_kept++] = row;
        }
        groups = groups.subarray(0, n_kept);
        const of = shares ? `matched ${share.toFixed(1)} % in ` : "matched ";
        this.status.textContent = `${of}${plural(n, "row", "rows")}${this.hidesMatches ? ", hidden" : ""}`;
      } else {
        this.status.textContent = plural(groups.length, "row", "rows");
      }
      if (this.sort) groups = this.sorted(groups);
      if (!hasGroups) return groups;
      return Array.from(groups).flatMap((row) => Array.from({ length: table.end(row) - row }, (_, at) => row + at));
    }

    /** In the order of a column; equal rows keep theirs, and rows without a value come last. */
    sorted(groups) {
      const { table, sort, isAscending } = this;
      const { ranks, n_ranks } = table.ranks(sort);
      const placeOf = (row) => {
        const kind = table.kindNumber(row);
        // Sums stay where they are: the first row, or the last ones.
        if (kind === TOTAL) return row === 0 ? 0 : n_ranks + 2;
        if (kind >= REST || ranks[row] < 0) return n_ranks + 1;
        return isAscending ? ranks[row] + 1 : n_ranks - ranks[row];
      };
      const places = new Uint32Array(groups.length);
      const starts = new Uint32Array(n_ranks + 4);
      for (let at = 0; at < groups.length; at++) starts[(places[at] = placeOf(groups[at])) + 1]++;
      for (let at = 1; at < starts.length; at++) starts[at] += starts[at - 1];
      const order = new Uint32Array(groups.length);
      for (let at = 0; at < groups.length; at++) order[starts[places[at]]++] = groups[at];
      return order;
    }

    get depths() {
      return this.table.numbers(this.depth);
    }
    closeSmall() {
      const { table, depths } = this;
      const shares = table.share && table.numbers(table.share);
      if (!shares) return;
      for (let row = 0; row < table.length; row++) if (shares[row] < 5 && depths[row + 1] > depths[row]) this.closed.add(row);
    }
    arrangeTree(isMatch) {
      const { table, depths } = this;
      const shown = [];
      if (isMatch) {
        // Matches, and the frames that lead to them. The cost of a match below another counts once.
        const kept = new Uint8Array(table.length);
        const path = [];
        const shares = table.share && table.numbers(table.share);
        let share = 0;
        let n = 0;
        let outer = Infinity;
        for (let row = 0; row < table.length; row++) {
          const depth = depths[row];
          path.length = depth;
          path.push(row);
          if (depth <= outer) outer = Infinity;
          if (!isMatch(row)) continue;
          n++;
          for (let at = depth; at >= 0 && !kept[path[at]]; at--) kept[path[at]] = 1;
          if (outer === Infinity) {
            outer = depth;
            share += shares?.[row] || 0;
          }
        }
        for (let row = 0; row < table.length; row++) if (kept[row]) shown.push(row);
        this.status.textContent = `matched ${share.toFixed(1)} % in ${plural(n, "frame", "frames")}`;
        return shown;
      }
      let closed = Infinity;
      for (let row = 0; row < table.length; row++) {
        if (depths[row] > closed) continue;
        closed = this.closed.has(row) ? depths[row] : Infinity;
        shown.push(row);
      }
      this.status.textContent = `${shown.length} of ${plural(table.length, "frame", "frames")}`;
      return shown;
    }

    /** Makes everything again. */
    update() {
      const { table } = this;
      this.shownColumns = this.columns;
      this.lines = this.arrange();
      this.current = Math.min(this.current, Math.max(0, this.lines.length - 1));
      this.group.replaceChildren();
      this.headRow.replaceChildren();
      const wide = this.shownColumns.includes(table.name) ? table.name : this.shownColumns.at(-1);
      let width = 0;
      for (const column of this.shownColumns) {
        const isText = table.isText(column);
        const letters = column === wide ? 0 : this.lettersOf(column);
        const col = make("col");
        if (column !== wide) col.style.width = `${letters + 2}ch`;
        width += column === wide ? 22 : letters + 2;
        this.group.append(col);
        const sort = this.sort === column ? (this.isAscending ? "ascending" : "descending") : "none";
        const head = make("th", { scope: "col", role: "columnheader", "data-column": column.id, class: isText ? "text" : "number", "aria-sort": this.canSort && !this.depth ? sort : null });
        if (this.canSort && !this.depth) head.append(make("button", { type: "button", title: "Sort", onclick: () => this.sortBy(column) }, column.head));
        else head.append(clean(column.head));
        this.headRow.append(head);
      }
      this.grid.style.minWidth = `${width}ch`;
      this.letters = Math.floor(((this.headRow.children[this.shownColumns.indexOf(wide)]?.clientWidth || 600) - 20) / LETTER);
      this.grid.setAttribute("aria-rowcount", this.lines.length + 1);
      this.draw();
    }

    /** Number of letters of the widest cell: of numbers exactly, of texts from a sample. */
    lettersOf(column) {
      const { table } = this;
      return table.once(`letters ${column.at}`, () => {
        let most = Math.max(...column.head.split(" ").map((word) => word.length)) + 1;
        for (let row = 0; row < Math.min(table.length, 300); row++) most = Math.max(most, (callsOf(table, column, row) ?? table.shown(column, row)).length);
        if (table.isText(column)) return Math.min(most, 32);
        const decimals = column.print || column.role === "limit" ? 1 + (column.print?.decimals ?? 2) : 10;
        for (const { cells } of table.blocks) {
          const text = cells[column.at];
          for (let at = 0, n = 0, isWhole = true, more = 0; at <= text.length; at++) {
            const code = text.charCodeAt(at);
            if (code === 44 || at === text.length) {
              if (n + more > most) most = n + more;
              n = 0;
              isWhole = true;
              more = 0;
            } else if (code === 46 || code === 101) {
              isWhole = false;
              more = decimals;
            } else if (isWhole) n++;
          }
        }
        return Math.min(most + (column.print?.signed || column.role === "change" ? 1 : 0), 44);
      });
    }

    sortBy(column) {
      performance.mark("sort");
      if (this.sort === column) this.isAscending = !this.isAscending;
      else {
        this.sort = column;
        this.isAscending = this.table.isText(column);
      }
      const at = this.shownColumns.indexOf(column);
      this.update();
      performance.measure("sorted", "sort");
      this.headRow.children[at]?.querySelector("button")?.focus();
      this.onChange?.();
    }

    /** Makes the rows in view. */
    draw() {
      const total = this.lines.length;
      const height = this.rowHeight || 24;
      const inView = Math.ceil((this.scroll.clientHeight || innerHeight) / height) + 1;
      // No browser has elements of any height.
      const most = Math.min(total, 400000);
      let first = this.isWhole || this.isPrinting ? 0 : Math.floor(this.scroll.scrollTop / height) - 8;
      first = Math.max(0, Math.min(first, most - inView));
      let last = Math.min(most, first + inView + 16);
      if (this.isWhole) last = total;
      if (this.isPrinting) last = Math.min(total, 100);
      const hadFocus = this.body.contains(document.activeElement);
      const space = (rows) => {
        const row = make("tr", { class: "space", "aria-hidden": "true" });
        row.style.height = `${rows * height}px`;
        return row;
      };
      const rows = [];
      if (first > 0) rows.push(space(first));
      for (let line = first; line < last; line++) rows.push(this.row(line));
      if (last < most && !this.isPrinting) rows.push(space(most - last));
      this.body.replaceChildren(...rows);
      const row = this.body.querySelector("tr:not(.space)");
      if (row && !this.rowHeight && row.offsetHeight && !this.isPrinting) {
        this.rowHeight = row.offsetHeight;
        if (this.rowHeight !== height) return this.draw();
      }
      if (hadFocus) this.focusRow();
    }

    row(line) {
      const { table } = this;
      const row = this.lines[line];
      const kind = table.kind(row);
      const attributes = { "aria-rowindex": line + 2, class: kind, tabindex: line === this.current ? 0 : -1, "data-line": line, "data-row": row };
      let level = 0;
      if (this.depth) {
        level = this.depths[row];
        attributes["aria-level"] = level + 1;
        if (this.depths[row + 1] > level) attributes["aria-expanded"] = String(!this.closed.has(row));
      }
      const verdict = this.verdict && table.shown(this.verdict, row);
      if (selected !== undefined && this.functionOf(row) === selected) Object.assign(attributes, { class: `${attributes.class} selected`, "aria-selected": "true" });
      if (isOfSides && this.depth) attributes.class += [" better", " better", "", " worse", " worse"][changeOf(row)[0]];
      if (verdict) attributes.class += WORSE.has(verdict) ? " worse" : BETTER.has(verdict) ? " better" : "";
      const element = make("tr", attributes);
      for (const column of this.shownColumns) element.append(this.cell(column, row, level));
      return element;
    }

    functionOf(row) {
      return this.table.name ? this.table.nameId(this.table.name, row) : -1;
    }

    /** Selects the function of the current row in every view. */
    select() {
      const id = this.functionOf(this.lines[this.current]);
      if (!this.hasSearch || id < 0) return;
      keep(selection(id));
      this.draw();
      this.focusRow();
    }

    /** Scrolls to the selected function, in a tree to its frame with the largest share. */
    showSelected() {
      if (selected === undefined || !this.table.name) return;
      const cells = this.table.cells(this.table.name);
      const isSelected = (row) => cells[row] === `@${selected}`;
      if (!this.depth) return this.showLine(this.lines.findIndex(isSelected));
      const shares = this.table.share && this.table.numbers(this.table.share);
      const rows = Array.from(cells.keys()).filter(isSelected);
      const best = rows.reduce((most, row) => (most === undefined || shares?.[row] > shares?.[most] ? row : most), undefined);
      for (let row = best, depth = Infinity; row >= 0; row--) {
        if (this.depths[row] >= depth) continue;
        depth = this.depths[row];
        if (row !== best) this.closed.delete(row);
      }
      this.update();
      this.showLine(this.lines.indexOf(best));
    }
    showLine(line) {
      if (line < 0) return;
      this.current = line;
      this.scroll.scrollTop = Math.max(0, line - 3) * (this.rowHeight || 24);
      this.draw();
    }

    get verdict() {
      return this.table.columns.find((column) => column.role === "verdict");
    }

    cell(column, row, level) {
      const { table } = this;
      const text = table.shown(column, row);
      const raw = table.cell(column, row);
      const isText = raw[0] === "@" || raw[0] === "$";
      const cell = make("td", { role: "gridcell", class: `${isText || table.isText(column) ? "text" : "number"} ${column.role}` });
      if (raw === "") return cell;
      if (!isText) {
        cell.dataset.value = raw;
        if (raw !== text) cell.title = raw;
        if (column.role === "run") this.heatOfRun(cell, row, Number(raw));
        if (column.role === "share" && column === table.share) {
          const bar = make("span", { class: "bar", "aria-hidden": "true" });
          bar.style.width = `${Math.max(0, Math.min(100, Number(raw)))}%`;
          cell.append(bar);
        }
        cell.append(make("span", {}, callsOf(table, column, row) ?? text));
        return cell;
      }
      if (column.role === "source" && column.id === "text") {
        cell.classList.add("line");
        // Tabs are blanks in sources.
        cell.append(...text.split("\t").flatMap((part, at) => (at ? [document.createTextNode("\t"), clean(part)] : [clean(part)])));
        this.heat(cell, row);
        return cell;
      }
      const id = column.role === "name" ? table.nameId(column, row) : -1;
      const kind = table.kind(row);
      if (column === table.name) {
        const indent = level || { frame: 1, inline: 2, member: 1 }[kind] || 0;
        if (indent) cell.style.paddingInlineStart = `${Math.min(indent, 40) * 0.8 + 0.4}rem`;
        if (this.depth) cell.append(make("span", { class: "twist", "aria-hidden": "true" }, this.depths[row + 1] > level ? (this.closed.has(row) ? "▸" : "▾") : ""));
      }
      cell.title = clean(id >= 0 ? `${text}\n${origin(id)}`.trim().split("\n").join(" — ") : text);
      const beside = kind === "inline" && column === table.name ? this.callSite(row) : hasObjects && id >= 0 && objectOf[id] ? ` ${baseName(textAt(objectOf[id]))}` : "";
      const letters = this.letters - beside.length - (this.depth ? level + 4 : 0);
      const parts = id >= 0 ? fitted(clean(shortName(id)), Math.max(letters, 12)) : clean(text).slice(0, 400);
      const box = id >= 0 && this.isFunction(id, kind) ? make("a", { href: linkTo(id), tabindex: -1, class: "parts" }, parts) : make("span", { class: "parts" }, parts);
      cell.append(box);
      if (beside) cell.append(make("small", {}, beside));
      return cell;
    }

    /** Where inlined code was called. */
    callSite(row) {
      const [file, line] = ["call_file", "call_line"].map((id) => this.table.column(id)).map((column) => column && this.table.shown(column, row));
      return file ? ` inlined at ${baseName(file)}:${line}` : " inlined";
    }

    /** Whether a name has a view of its own: others are cycles, and costs in no function. */
    isFunction(id, kind) {
      if (this.table === flat) return kind === "entry";
      return Boolean((graphTable && graph().ofName.has(`@${id}`)) || rowsByFile().has(`@${id}`));
    }

    /** Colours a source line by its share of the hottest one. */
    heat(cell, row) {
      const column = this.table.share || this.table.columns.find((one) => one.role === "self");
      if (!column) return;
      const value = this.table.numbers(column)[row];
      const most = this.table.once("most", () => this.table.numbers(column).reduce((a, b) => (b > a ? b : a), 0));
      if (value > 0 && most > 0) cell.classList.add(`heat${Math.min(4, Math.ceil((value / most) * 4))}`);
    }

    /** Colours a cost that is above the mean of its row. */
    heatOfRun(cell, row, value) {
      const files = this.table.columns.filter((column) => column.role === "run");
      const mean = files.reduce((sum, column) => sum + (this.table.numbers(column)[row] || 0), 0) / files.length;
      const step = [1.1, 1.25, 1.5].filter((least) => value > least * mean).length;
      if (mean > 0 && step) cell.classList.add(`heat${step + 1}`);
    }

    focusRow() {
      for (const row of this.body.children) {
        const isCurrent = Number(row.dataset.line) === this.current;
        if (row.dataset.line !== undefined) row.tabIndex = isCurrent ? 0 : -1;
        if (isCurrent) row.focus({ preventScroll: true });
      }
    }
    moveTo(line) {
      this.current = Math.max(0, Math.min(this.lines.length - 1, line));
      const height = this.rowHeight || 24;
      const top = this.current * height;
      const room = this.scroll.clientHeight - 3 * height;
      if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
      else if (top > this.scroll.scrollTop + room) this.scroll.scrollTop = top - room;
      this.draw();
      this.focusRow();
    }
    toggle(row) {
      if (!this.closed.delete(row)) this.closed.add(row);
      this.update();
    }
    onClick(event) {
      const row = event.target.closest("tr");
      if (!row || row.dataset.line === undefined) return;
      this.current = Number(row.dataset.line);
      if (event.target.closest("a")) return;
      if (row.hasAttribute("aria-expanded")) this.toggle(this.lines[this.current]);
      this.select();
      this.focusRow();
    }
    onKey(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || !event.target.closest("tbody")) return;
      const page = Math.max(1, Math.floor(this.scroll.clientHeight / (this.rowHeight || 24)) - 3);
      const row = this.lines[this.current];
      const isParent = this.depth && this.depths[row + 1] > this.depths[row];
      const actions = {
        ArrowDown: () => this.moveTo(this.current + 1),
        ArrowUp: () => this.moveTo(this.current - 1),
        PageDown: () => this.moveTo(this.current + page),
        PageUp: () => this.moveTo(this.current - page),
        Home: () => this.moveTo(0),
        End: () => this.moveTo(this.lines.length - 1),
        " ": () => this.select(),
        Enter: () => this.body.querySelector(`tr[data-line="${this.current}"] a`)?.click(),
        ArrowRight: () => (isParent && this.closed.has(row) ? (this.toggle(row), this.focusRow()) : this.moveTo(this.current + 1)),
        ArrowLeft: () => {
          if (!this.depth) return;
          if (isParent && !this.closed.has(row)) this.toggle(row);
          else this.moveTo(this.lines.findLastIndex((one, at) => at < this.current && this.depths[one] < this.depths[row]));
          this.focusRow();
        },
      };
      if (!actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    }

    /** The table with its search, columns and status. */
    withTools({ onChange } = {}) {
      this.hasSearch = true;
      this.onChange = onChange;
      const { table } = this;
      const again = () => {
        this.scroll.scrollTop = 0;
        this.current = 0;
        this.update();
        onChange?.();
      };
      const tools = make("div", { class: "tools" }, searchField(again));
      const check = (label, set) => make("label", {}, make("input", { type: "checkbox", onchange: (event) => (set(event.target.checked), again()) }), ` ${label}`);
      if (!this.depth) tools.append(check("Hide matches", (on) => (this.hidesMatches = on)));
      const limits = table.columns.filter((column) => ["limit", "marks"].includes(column.role));
      const mayErr = limits.some((column) => column !== table.guess) && !limits.some((column) => column.print && column !== table.guess);
      const legend = make("ul", { class: "legend", hidden: true }, list("li", table.uncertainty.legend || []));
      if (mayErr) tools.append(check("Uncertainty", (on) => ((this.hasError = on), (this.chosen = null), (legend.hidden = !on))));
      const boxes = make("div", { class: "columns" });
      const columns = make("details", { class: "chooser" }, make("summary", {}, "Columns"), boxes);
      columns.addEventListener("toggle", () => {
        const shown = new Set(this.columns);
        boxes.replaceChildren(...table.columns.filter((one) => one.role !== "bar").map((column) => {
          const box = make("input", { type: "checkbox", checked: shown.has(column) });
          box.addEventListener("change", () => {
            this.chosen ||= new Set(this.columns.map((one) => one.id));
            if (!this.chosen.delete(column.id)) this.chosen.add(column.id);
            this.update();
          });
          return make("label", {}, box, ` ${column.head}${column.print ? "" : ` (${column.id})`}`);
        }));
      });
      tools.append(columns, this.status);
      return make("div", { class: "view" }, tools, legend, this.scroll);
    }
  }

  /** The number of calls in a row of the call graph, as `1/3` or `3+1`. */
  function callsOf(table, column, row) {
    if (table.id !== "graph" || column.id !== "calls") return null;
    const [calls, again, all] = ["calls", "self_calls", "of_calls"].map((id) => table.column(id) && table.shown(table.column(id), row));
    if (all) return `${calls}/${all}`;
    return again && again !== "0" ? `${calls}+${again}` : calls;
  }

  // ---- Views ----

  const main = make("main", { id: "main", tabindex: -1 });
  const show = (title, ...parts) => (main.classList.remove("full"), main.replaceChildren(make("h1", {}, title), ...parts.flat(Infinity).filter(Boolean)));
  const start = (view) => {
    view.update();
    return view;
  };
  const paragraphs = (sentences) => list("p", sentences.flatMap((one) => one.split("\n")).filter((one) => one.trim()));

  const inputsOf = (kind) => data.inputs.filter((input) => input.kind.endsWith(kind));
  const title = (() => {
    const programs = [...new Set(inputsOf("executable").map((input) => baseName(input.path)))];
    const profiles = inputsOf("profile").filter((input) => !input.layout.endsWith(" table"));
    const runs = profiles.length === 1 ? baseName(profiles[0].path) : plural(profiles.length, "profile", "profiles");
    return [...programs, runs].join(", ");
  })();
  document.title = clean(`${title} – profan`);

  function showOverview() {
    const parts = [];
    parts.push(paragraphs(data.notes || []));
    if (data.diagnostics.length) {
      const items = data.diagnostics.map(({ code, message, advice }) =>
        make("li", {}, make("strong", {}, `${code} `), withCode(message), make("br"), make("span", { class: "advice" }, "Try: ", withCode(advice), ". More: ", make("code", {}, `profan explain ${code}`))));
      parts.push(make("section", { class: "warnings", "aria-label": "Warnings" }, make("h2", {}, "Warnings"), make("ul", {}, items)));
    }
    const first = flat || tableOf("difference") || tableOf("spread") || tables.find((table) => table.length && table.name && !["graph", "index"].includes(table.id));
    if (first) {
      const shares = first.columns.filter((column) => column.role === "share" && column.print);
      const hasCost = (row) => !shares.length || shares.every((column) => first.isZero(column)) || shares.some((column) => /[1-9]/.test(first.shown(column, row)));
      const heads = Array.from(first.heads).filter((row) => first.id === "difference" || (first.kind(row) === "entry" && hasCost(row))).slice(0, 10);
      const rows = heads.flatMap((row) => Array.from({ length: first.end(row) - row }, (_, at) => row + at));
      const view = new TableView(first, { rows, isWhole: true, canSort: false });
      parts.push(make("h2", {}, first.title), paragraphs(first.summary), start(view).scroll, make("p", {}, make("a", { href: `#${addressOf(first)}` }, first.length > rows.length ? `All ${plural(first.length, "row", "rows")}` : "Sort and search")));
      parts.push(paragraphs([...(first.uncertainty.summary || []), ...first.notes]));
    }
    for (const table of tables) {
      const picture = table.length ? charts[table.id]?.(table) : null;
      if (picture) parts.push(table === first ? null : make("h2", {}, table.title), picture);
    }
    if (tree) parts.push(paragraphs(tree.summary.filter((one) => !first?.summary.includes(one))));
    const rows = data.inputs.map(({ path, kind, layout, verdict }) =>
      make("tr", {}, make("td", {}, path), make("td", {}, kind), make("td", {}, layout), make("td", {}, verdict ? [verdict.message, make("ul", {}, verdict.evidence.map((one) => make("li", {}, one.message)))] : "")));
    const heads = ["file", "kind", "layout", "is it the executable that wrote the profile?"];
    if (rows.length > 20) rows.splice(20, rows.length, make("tr", {}, make("td", { colspan: 4 }, `${rows.length - 20} more`)));
    parts.push(make("h2", {}, "Files"), make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Files" }, make("table", {}, make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head)))), make("tbody", {}, rows))));
    const measured = data.metrics.map((metric) => `${metric.quantity} in ${metric.unit}: ${metric.basis}${metric.total_basis && metric.total_basis !== metric.basis ? `; totals ${metric.total_basis}` : ""}`);
    if (measured.length) parts.push(make("h2", {}, "Measured"), make("ul", {}, list("li", measured)));
    const included = sources.map((table) => fileOfSource(table));
    parts.push(make("h2", {}, "Source files in this page"), included.length ? make("ul", {}, included.map((file, at) => make("li", {}, make("a", { href: `#source=${at}` }, file)))) : make("p", {}, "None."));
    show(title, parts, copyable(command()));
  }

  const sources = tables.filter((table) => table.id === "source");
  const fileOfSource = (table) => table.title.replace(/^\*+ File /, "");

  /** A section as a table, with what belongs above and below it. */
  function showTable(table) {
    const view = new TableView(table);
    view.sort = table.columns.find((column) => column.id === parameters.get("sort")) ?? null;
    view.isAscending = parameters.has("up");
    const foot = make("div");
    const tell = () => {
      keep({ sort: view.sort?.id, up: view.sort && view.isAscending ? "" : undefined });
      const options = [...optionsOf(table.id)];
      if (view.sort && ["flat", "difference"].includes(table.id)) options.push("--sort", view.sort.id, ...(view.isAscending !== table.isText(view.sort) ? ["--reverse"] : []));
      if (view.hasError) options.push("--error");
      foot.replaceChildren(...[copyable(command(...options))].filter(Boolean));
    };
    const picture = table.length ? charts[table.id]?.(table) : null;
    const isRows = table.length && table.id !== "trace-history";
    const also = table === tree ? make("p", {}, make("a", { href: "#flame" }, "The same as a flame graph")) : null;
    const leftOut = table.leftOut ? [`${plural(table.leftOut, "frame", "frames")} below 0.05 % or deeper than 1000 left out.`] : [];
    show(table.title, paragraphs(table.summary), also, picture, isRows ? view.withTools({ onChange: tell }) : null, paragraphs([...(table.uncertainty.summary || []), ...table.notes, ...leftOut]), foot);
    if (isRows) start(view).showSelected();
    tell();
  }

  function showSource(number) {
    const table = sources[number] || sources[0];
    const view = new TableView(table, { canSort: false });
    const column = table.share || table.columns.find((one) => one.role === "self");
    const values = column && table.numbers(column);
    const hot = values ? Array.from(values.keys()).filter((row) => values[row] > 0).sort((a, b) => values[b] - values[a] || a - b) : [];
    let at = -1;
    const next = () => {
      at = (at + 1) % hot.length;
      view.moveTo(view.lines.indexOf(hot[at]));
    };
    const pick = make("select", { id: "file", onchange: (event) => (location.hash = `source=${event.target.value}`) }, sources.map((one, index) => make("option", { value: index, selected: one === table }, fileOfSource(one))));
    const body = view.withTools();
    if (sources.length > 1) body.querySelector(".tools").prepend(make("label", { for: "file" }, "File "), pick);
    if (hot.length) body.querySelector(".tools").append(make("button", { type: "button", onclick: next }, "Next hottest line"));
    body.classList.add("code");
    // Tables on this file follow it.
    const others = [];
    for (let one = table.index + 1; tables[one]?.id.startsWith("source-"); one++) others.push([make("a", { href: `#${addressOf(tables[one])}` }, tables[one].title), " "]);
    show(fileOfSource(table), paragraphs(table.summary), body, paragraphs(table.notes), make("p", {}, others), copyable(command(...optionsOf("source"))));
    start(view);
    const line = table.column("line");
    const isOfFile = selected !== undefined && line && textAt(fileOf[selected]) === fileOfSource(table);
    const first = isOfFile ? table.cells(line).indexOf(lineOf[selected]) : -1;
    view.showLine(view.lines.indexOf(first < 0 && hot.length ? hot.reduce((a, b) => Math.min(a, b)) : first));
  }

  /** A function between its callers and callees. */
  function showFunction(name, id) {
    const units = graphTable ? graph() : { units: [], ofName: new Map() };
    const unit = id !== undefined ? units.ofName.get(`@${id}`) : units.units.find((one) => graphTable.shown(graphTable.name, one.head) === name);
    const row = id !== undefined && flat ? flat.cells(flat.name).indexOf(`@${id}`) : -1;
    const ofFiles = rowsByFile().get(`@${id}`);
    if (!unit && row < 0 && !ofFiles) return show("Not found", make("p", {}, `No function of this report is named `, make("code", {}, name), "."), make("p", {}, make("a", { href: "#" }, "Overview")));
    const parts = [];
    if (id !== undefined && shortOf[id]) parts.push(make("p", {}, make("code", {}, name)));
    if (id !== undefined && origin(id)) parts.push(make("p", {}, origin(id), sourceLink(id)));
    const facts = (table, at) => table.columns.filter((column) => column.print && !["name", "bar", "index", "marks"].includes(column.role) && table.cell(column, at) !== "" && !table.isZero(column))
      .flatMap((column) => {
        const raw = table.cell(column, at);
        return [make("dt", {}, column.head), make("dd", { "data-value": raw, "data-column": column.id }, callsOf(table, column, at) ?? table.shown(column, at))];
      })
      .concat(table.limits(at) ? [make("dt", {}, "total may be"), make("dd", {}, table.limits(at))] : []);
    const middle = make("section", { class: "own", "aria-label": "Function" }, make("h2", { class: "unseen" }, "Function"));
    if (row >= 0) middle.append(make("div", {}, make("h3", {}, flat.title), make("dl", { "data-section": "flat", "data-row": row }, facts(flat, row))));
    if (unit) middle.append(make("div", {}, make("h3", {}, graphTable.title), make("dl", { "data-section": "graph", "data-row": unit.head }, facts(graphTable, unit.head))));
    const side = (label, kinds, from, to) => {
      const rows = [];
      for (let at = from; at < to; at++) if (kinds.includes(graphTable.kind(at))) rows.push(at);
      const part = make("section", { "aria-label": label }, make("h2", {}, label));
      if (!rows.length) return part.append(make("p", {}, "None recorded.")), part;
      const has = (column) => !graphTable.isZero(column) && rows.some((at) => graphTable.cells(column)[at] !== "");
      const columns = graphTable.columns.filter((column) => column.print && !["index"].includes(column.role) && has(column)).map((column) => column.id);
      const limits = graphTable.columns.filter((column) => ["limit", "marks"].includes(column.role) && has(column)).map((column) => column.id);
      const view = new TableView(graphTable, { rows, label, isWhole: rows.length <= 60, columns: isNarrow() ? [...columns.slice(0, 2), "name"] : [...columns, ...limits] });
      part.append(start(view).scroll);
      return part;
    };
    if (unit) {
      parts.push(make("div", { class: "sandwich" }, side("Callers", ["caller"], unit.start, unit.head), middle, side("Callees", ["callee", "member"], unit.head + 1, unit.end)));
      if (graphTable.uncertainty.legend?.length) parts.push(make("ul", { class: "legend" }, list("li", graphTable.uncertainty.legend)));
    } else if (row >= 0) parts.push(middle);
    if (ofFiles) parts.push(make("h2", {}, "By file"), historyOf(`@${id}`), start(new TableView(byFile, { rows: ofFiles, label: "By file", isWhole: ofFiles.length <= 60 })).scroll);
    const others = id === undefined ? [] : functionsOf(Number(nameOf[id])).filter((one) => one !== id).slice(0, 20);
    if (others.length) parts.push(make("p", {}, "Same name: ", others.map((one) => [make("a", { href: linkTo(one) }, origin(one) || "another function"), " "])));
    show(id === undefined ? name : shortName(id), make("p", { class: "steps" }, make("button", { type: "button", onclick: () => history.back() }, "Back"), " ", make("button", { type: "button", onclick: () => history.forward() }, "Forward")), parts, copyable(ofFiles ? command(...BY_FILE) : command(`-q${name}`)));
  }

  function sourceLink(id) {
    const file = textAt(fileOf[id]);
    const at = sources.findIndex((table) => fileOfSource(table) === file);
    return at < 0 ? null : [" ", make("a", { href: fragment("", { source: at, ...addressOfFunction(id) }) }, "source")];
  }

  // ---- The heap over time ----

  const charts = {
    trend: (table) => [...new Set(table.cells(table.name))].map(historyOf).filter(Boolean).slice(0, 3),
    // A picture of text: a height for each moment, and the bytes of each line.
    "trace-history": (table) => {
      // Reports of earlier versions have only the heights of the picture.
      const exact = table.column("bytes");
      const heights = Array.from(table.numbers(exact || table.column("height"))).filter((height) => !Number.isNaN(height));
      const ofLines = table.column("line_bytes");
      const lines = Array.from(table.cells(ofLines).keys()).filter((row) => table.cell(ofLines, row) !== "");
      const events = table.cells(table.column("events")).find(Boolean);
      const top = exact ? Math.max(...heights) : lines.length;
      const points = heights.flatMap((height, at) => [[at, height], [at + 1, height]]);
      const unit = table.column("unit") ? textAt(table.cells(table.column("unit"))[0].slice(1)) : "events";
      return chart(points, heights.length, top, `memory in use, at most ${table.shown(ofLines, lines.at(-1))}, over ${grouped(Number(events))} ${unit}`, [heights.indexOf(Math.max(...heights)) + 0.5]);
    },
    "heap-snapshots": (table) => {
      const [x, y] = [table.column("time"), table.column("total_bytes")];
      const [xs, ys] = [table.numbers(x), table.numbers(y)];
      const peak = ys.indexOf(Math.max(...ys));
      const points = Array.from(xs, (at, row) => [at, ys[row]]);
      return chart(points, xs.at(-1), ys[peak], `memory in use, at most ${table.shown(y, peak)} at ${table.shown(x, peak)}, over ${table.shown(x, table.length - 1)} ${x.head.replace("time ", "")}`);
    },
  };

  const highest = (points) => points.reduce((best, point) => (point[1] > best[1] ? point : best), [0, -1])[0];

  function chart(points, right, top, words, marks = [highest(points)], about = "the dashed line is the peak") {
    const place = ([x, y]) => `${((x / (right || 1)) * 1000).toFixed(1)},${(300 - (y / (top || 1)) * 290).toFixed(1)}`;
    const lines = marks.map((mark) => (mark / (right || 1)) * 1000).map((x) => make("svg:line", { x1: x, x2: x, y1: 0, y2: 300 }));
    const picture = make("svg:svg", { viewBox: "0 0 1000 300", preserveAspectRatio: "none", role: "img", "aria-label": clean(words), class: "chart" },
      make("svg:polygon", { points: `0,300 ${points.map(place).join(" ")} 1000,300` }), lines);
    return make("figure", {}, picture, make("figcaption", {}, words, lines.length ? `; ${about}` : ""));
  }

  // ---- Flame graph ----

  const ROW = 20;

  function showFlame() {
    const table = tree;
    const depths = table.numbers(table.column("depth"));
    const shares = table.numbers(table.column("percent"));
    const n = table.length;
    const numbers = table.textNumbers(table.name);
    const [xs, ends, callers] = [new Float64Array(n), new Uint32Array(n), new Int32Array(n).fill(-1)];
    const free = [0];
    const path = [];
    for (let row = 0; row < n; row++) {
      const depth = depths[row];
      for (const done of path.splice(depth)) ends[done] = row;
      free.length = depth + 1;
      xs[row] = free[depth];
      free[depth] += shares[row];
      free.push(xs[row]);
      callers[row] = depth > 0 ? path[depth - 1] : -1;
      path.push(row);
    }
    for (const done of path) ends[done] = n;
    const childrenOf = (row) => {
      const found = [];
      for (let at = row + 1; at < (row < 0 ? n : ends[row]); at = ends[at]) found.push(at);
      return found;
    };

    // Colours are those of objects, or else of files, in order of appearance.
    const groups = new Map();
    const groupOf = (row) => {
      const id = table.nameId(table.name, row);
      const group = id < 0 ? "" : textAt(objectOf[id]) || textAt(fileOf[id]);
      if (!groups.has(group)) groups.set(group, group === "" ? 8 : Math.min(groups.size - (groups.has("") ? 1 : 0), 7));
      return groups.get(group);
    };
    const colors = Uint8Array.from({ length: n }, (_, row) => groupOf(row));
    // One colour tells nothing: then functions have their own.
    const isOfOne = !isOfSides && groups.size - (groups.has("") ? 1 : 0) < 2;
    if (isOfSides) for (let row = 0; row < n; row++) colors[row] = 10 + changeOf(row)[0];
    if (isOfOne) for (let row = 0; row < n; row++) colors[row] = numbers[row] % 7;

    // Of an address that somebody may have written.
    const zoomOfAddress = () => (/^\d{1,9}$/.test(parameters.get("zoom")) && Number(parameters.get("zoom")) < n ? Number(parameters.get("zoom")) : -1);
    const functionOf = (row) => (row < 0 ? -1 : table.nameId(table.name, row));
    let zoomed = zoomOfAddress();
    // The frame of the keyboard: -1 is the one above all, -2 none.
    let current = -2;
    let found = [];
    let matches = null;
    const before = [];
    const words = (row) => {
      if (row < 0) return "all";
      if (isOfSides) {
        const [old, now] = ["total_old", "total_new"].map((id) => table.shown(table.column(id), row));
        return `${texts[numbers[row]]}: ${changeOf(row)[1]}, from ${old} to ${now} ${table.column("total_new").head.replace(/^new /, "")}`;
      }
      const cost = table.columns.filter((column) => column.print && ["total", "self", "calls"].includes(column.role) && table.cells(column)[row] !== "").map((column) => `${column.head} ${table.shown(column, row)}`);
      return `${texts[numbers[row]]}: ${table.shown(table.share, row)} %${cost.length ? `, ${cost.join(", ")}` : ""}${table.limits(row) && `, total may be ${table.limits(row)}`}`;
    };
    const output = make("p", { role: "status", class: "status" });
    let about = "";
    const say = (row) => (output.textContent = clean([about, words(row)].filter(Boolean).join(". ")));
    const box = make("div", { class: "flame", role: "group", "aria-label": "Flame graph: callers above callees, widths are shares of the total", tabindex: 0 });
    function frame(row, x, width, y, pixels) {
      const id = functionOf(row);
      const name = clean(row < 0 ? "all" : id < 0 ? texts[numbers[row]] : shortName(id));
      const change = isOfSides && row >= 0 ? ` ${changeOf(row)[1]}` : "";
      const letters = Math.floor((pixels - 6) / 7.3);
      const label = fitted(name, letters - change.length) + change;
      const isFound = row >= 0 && matches?.(numbers[row]);
      const element = make("div", { role: "button", tabindex: row === current ? 0 : -1, "data-row": row, class: `frame c${row < 0 ? 8 : colors[row]}${row >= 0 && table.isGuess(row) ? " guess" : ""}${isFound ? " found" : ""}${id >= 0 && id === selected ? " selected" : ""}${row === current ? " current" : ""}`, "aria-label": clean(words(row)), title: clean(words(row)), "data-label": label.length > letters ? "" : label });
      Object.assign(element.style, { left: `${x}%`, width: `${width}%`, top: `${y * ROW}px` });
      return element;
    }

    function draw() {
      const hadFocus = box.contains(document.activeElement) && document.activeElement !== box;
      const all = box.clientWidth || 1000;
      const base = zoomed < 0 ? { x: 0, width: 100, y: 1 } : { x: xs[zoomed], width: shares[zoomed], y: depths[zoomed] + 1 };
      const scale = 100 / (base.width || 100);
      const frames = [];
      const above = [];
      for (let row = zoomed; row >= 0; row = callers[row]) above.push(row);
      frames.push(frame(-1, 0, 100, 0, all));
      for (const row of above) frames.push(frame(row, 0, 100, depths[row] + 1, all));
      let deepest = base.y;
      let n_small = 0;
      for (let row = zoomed < 0 ? 0 : zoomed + 1, end = zoomed < 0 ? n : ends[zoomed]; row < end; ) {
        const width = shares[row] * scale;
        const pixels = (width * all) / 100;
        if (pixels < 1) {
          n_small += ends[row] - row;
          row = ends[row];
          continue;
        }
        deepest = Math.max(deepest, depths[row] + 1);
        frames.push(frame(row, (xs[row] - base.x) * scale, width, depths[row] + 1, pixels));
        row++;
      }
      box.style.height = `${(deepest + 1) * ROW}px`;
      box.replaceChildren(...frames);
      small.textContent = n_small || table.leftOut ? `${n_small + table.leftOut} frames are too small to be drawn; zoom in, or see the call tree.` : "";
      back.disabled = zoomed < 0 && !before.length;
      if (hadFocus) elementOf(current)?.focus();
    }
    const elementOf = (row) => box.querySelector(`[data-row="${row}"]`);
    const zoom = (row) => {
      const isNew = row !== zoomed;
      if (isNew) before.push(zoomed);
      zoomed = row;
      keep({ ...selection(functionOf(row)), zoom: row < 0 ? undefined : row }, isNew);
      search();
      say(row);
    };
    const goBack = () => {
      const isStep = before.length > 0;
      zoomed = before.pop() ?? -1;
      draw();
      say(zoomed);
      if (isStep) history.back();
      else keep({ zoom: undefined });
    };
    const choose = (row) => {
      if (row === undefined) return;
      if (!elementOf(row)) zoom(row < 0 ? -1 : callers[row]);
      current = row;
      draw();
      elementOf(row)?.focus();
      elementOf(row)?.scrollIntoView({ block: "nearest" });
      say(row);
    };
    const beside = (step) => {
      const row = childrenOf(callers[current]);
      return current < 0 ? undefined : row[row.indexOf(current) + step];
    };
    const nextFound = (step) => {
      if (!found.length) return;
      const at = found.indexOf(current);
      choose(found[at < 0 ? 0 : (at + step + found.length) % found.length]);
    };
    function search() {
      matches = matcher(searched);
      const isFound = matches ? (row) => matches(numbers[row]) : selected === undefined ? null : (row) => functionOf(row) === selected;
      found = [];
      let share = 0;
      let outer = 0;
      for (let row = 0; isFound && row < n; row++) {
        if (!isFound(row)) continue;
        found.push(row);
        if (row < outer) continue;
        outer = ends[row];
        share += shares[row];
      }
      about = isFound ? `${matches ? "matched" : `${shortName(selected)} has`} ${share.toFixed(1)} % in ${plural(found.length, "frame", "frames")}` : "";
      output.textContent = clean(about);
      draw();
    }
    const keys = {
      ArrowUp: () => choose(current < 0 ? -1 : callers[current]),
      ArrowDown: () => current < -1 ? choose(-1) : choose(childrenOf(current).reduce((best, row) => (best === undefined || shares[row] > shares[best] ? row : best), undefined)),
      ArrowLeft: () => choose(beside(-1)),
      ArrowRight: () => choose(beside(1)),
      Home: () => choose(-1),
      Enter: () => zoom(Math.max(-1, current)),
      " ": () => zoom(Math.max(-1, current)),
      Backspace: goBack,
      Escape: goBack,
      n: () => nextFound(1),
      N: () => nextFound(-1),
      f: () => graphTable && functionOf(current) >= 0 && (location.hash = linkTo(functionOf(current))),
    };
    box.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    const rowOf = (event) => {
      const element = event.target.closest(".frame");
      return element ? Number(element.dataset.row) : undefined;
    };
    box.addEventListener("click", (event) => {
      const row = rowOf(event);
      if (row === undefined) return;
      current = row;
      zoom(row);
      elementOf(row)?.focus({ preventScroll: true });
    });
    box.addEventListener("mouseover", (event) => {
      const row = rowOf(event);
      if (row !== undefined) say(row);
    });
    const back = make("button", { type: "button", onclick: goBack }, "Back");
    const small = make("p");
    const field = searchField(search);
    field.addEventListener("keydown", (event) => event.key === "Enter" && nextFound(1));
    const legend = isOfOne ? null : isOfSides ? make("ul", { class: "groups" }, CHANGES.map((words, step) => make("li", {}, make("span", { class: `patch c${10 + step}`, "aria-hidden": "true" }), ` ${words}`)).reverse()) : make("ul", { class: "groups" }, [...groups].filter(([, color]) => color < 7 || color === 8).map(([group, color]) => make("li", {}, make("span", { class: `patch c${color}`, "aria-hidden": "true" }), ` ${group || "unknown file"}`)), groups.size > 8 ? make("li", {}, make("span", { class: "patch c7", "aria-hidden": "true" }), " others") : null);
    const aboutSides = isOfSides ? ["Widths show both sides together, and colours the change of totals."] : [];
    const aboutHatch = table.guess ? ["Hatched frames may be less than half as long: the costs of single calls are not known."] : [];
    const picture = make("div", { class: "wide" }, box);
    show("Flame graph", make("div", { class: "tools" }, back, field, output), picture, small, legend,
      make("p", {}, make("a", { href: fragment(tree.id, selection(selected ?? -1)) }, "The same as a table"), ". Click or press Enter to zoom in and to select the function in every view; arrow keys move, Escape goes back, n and N go to the next and previous match, f shows callers and callees."),
      paragraphs([...aboutSides, ...table.summary, ...aboutHatch]), copyable(command(...optionsOf(tree.id))));
    main.classList.add("full");
    // As high as the window, with room for the line below.
    const fill = () => (picture.style.maxHeight = `${Math.max(240, innerHeight - picture.offsetTop - 40)}px`);
    fill();
    search();
    onResize = () => (fill(), draw());
    onAddress = () => {
      zoomed = zoomOfAddress();
      if (before.at(-1) === zoomed) before.pop();
      field.value = searched;
      search();
    };
  }

  // ---- Navigation ----

  const addressOf = (table) => (tables.find((one) => one.id === table.id) === table ? table.id : `${table.id}.${table.index}`);
  const hidden = new Set(["graph", "index", "source"]);
  const ofOneSource = new Set(["source-top", "source-summary", "by-file"]);
  const hottest = () => {
    const table = flat?.length ? flat : graphTable;
    for (let row = 0; row < Math.min(table.length, 1000); row++) {
      const id = table.nameId(table.name, row);
      if (table.kind(row) === "entry" && id >= 0) return linkTo(id);
    }
    return null;
  };
  // The views: key, title and address. What is selected and searched stays so in each.
  const chosen = () => ({ ...selection(selected ?? -1), q: searched || undefined });
  const links = [["", "Overview", () => "#"]];
  const addLink = (id, label) => links.push([id, label, () => fragment(id, chosen())]);
  for (const table of tables) {
    if (table.id === "graph" && hottest()) links.push(["f", "Callers and callees", () => (selected === undefined ? hottest() : linkTo(selected))]);
    if (table.id === "source" && table === sources[0]) links.push(["source", "Source", () => fragment("", { source: 0, ...chosen() })]);
    if (hidden.has(table.id) || ofOneSource.has(table.id)) continue;
    addLink(addressOf(table), table.title);
    if (table === tree && table.length) addLink("flame", "Flame graph");
  }
  if (byFile?.length) {
    addLink("runs", runs().title);
    addLink(byFile.id, byFile.title);
  }
  const anchors = links.map(([, label]) => make("a", {}, label));
  const navigation = make("nav", { "aria-label": "Views" }, make("ul", {}, anchors.map((anchor) => make("li", {}, anchor))));
  const keyOfView = () => view || (parameters.has("source") && sources.length ? "source" : parameters.has("f") ? "f" : "");
  function markLinks() {
    links.forEach(([key, , address], at) => {
      anchors[at].setAttribute("href", address());
      if (key === keyOfView()) anchors[at].setAttribute("aria-current", "page");
      else anchors[at].removeAttribute("aria-current");
    });
  }

  let onResize = null;
  /** Takes another address of the same view. */
  let onAddress = null;
  function route() {
    performance.mark("view");
    views.clear();
    onResize = onAddress = null;
    markLinks();
    const key = keyOfView();
    if (key === "source") showSource(Number(parameters.get("source")));
    else if (key === "f") showFunction(parameters.get("f"), selected);
    else if (key === "flame" && tree?.length) showFlame();
    else if (key === "runs" && byFile?.length) showTable(runs());
    else {
      const table = tables.find((one) => addressOf(one) === key && !hidden.has(one.id));
      if (table) showTable(table);
      else showOverview();
    }
    performance.measure("viewed", "view");
  }

  const jump = make("a", { class: "skip", href: "#main", onclick: (event) => (event.preventDefault(), main.focus()) }, "Skip to the report");
  document.body.prepend(jump, make("header", {}, make("p", { class: "title" }, title), navigation), main);
  addEventListener("hashchange", () => {
    const before = keyOfView();
    readAddress();
    if (onAddress && keyOfView() === before) return markLinks(), onAddress();
    route();
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  });
  addEventListener("resize", () => {
    for (const view of views) view.update();
    onResize?.();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.matches("input,select,textarea")) return;
    const field = main.querySelector("input.search");
    if (!field) return;
    event.preventDefault();
    field.focus();
  });
  // Rows out of view are on paper too, as far as they fit.
  const printing = (isOn) => () => {
    for (const view of views) {
      view.isPrinting = isOn;
      view.draw();
    }
  };
  addEventListener("beforeprint", printing(true));
  addEventListener("afterprint", printing(false));
  readAddress();
  route();
  performance.mark("ready");
  // Orders of many rows take long; they are made before somebody asks, one at a time.
  const ahead = texts.length > 20000 ? [textRanks, lowered, ...(flat?.columns ?? []).filter((column) => column.print).map((column) => () => flat.ranks(column))] : [];
  const makeNext = () => {
    ahead.shift()?.();
    if (ahead.length) setTimeout(makeNext, 20);
  };
  setTimeout(makeNext, 300);
})();

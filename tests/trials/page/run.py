#!/usr/bin/env python3
"""Opens pages of `profan --format html` in Chromium and Firefox, and checks them as a reader would.

    tests/trials/page/run.py [--axe AXE.MIN.JS] [--numbers] [--timings] PROFAN

Without a browser, or without axe-core, it names what it leaves out. `CHROMIUM` and `FIREFOX` name
other browsers. axe-core is also found in `node_modules`. Numbers are compared with those of JSON for
one file of each kind, with `--numbers` for every fixture. `--timings` measures a page of 100,000
functions instead. The exit status is 1 if anything is wrong.
"""
import argparse
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
import urllib.parse
from pathlib import Path

import browser

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"

# Each kind of file, and comparisons, below `fixtures`.
KINDS = [
    ("tour", "gmon.out primes"), ("tour", "unequal.gmon unequal"), ("tour", "mpatrol.out basic"),
    ("tour", "mpatrol.trace"), ("tour", "mlmon.out show-prof.txt"), ("tour", "callgrind.out"),
    ("tour", "diff --tree old/1.out old/2.out old/visits -- new/1.out new/2.out new/visits"),
    ("tour", "--by-file ranks/gmon.out.0 ranks/gmon.out.1 ranks/gmon.out.7 primes"),
    ("folded/stacks", "stacks.folded"), ("perf-script/stacks", "lines.perf"), ("pprof/go", "cpu.pb.gz"),
    ("valgrind/heap", "dhat.json"), ("valgrind/heap", "massif2.out"),
]

DIFFERENCE, BY_FILE = [words for _, words in KINDS if words.startswith(("diff", "--by-file"))]

# Smaller frames are left out.
LEAST_PERCENT = 0.05

# Functions of a page whose callers and callees are compared.
MOST_FUNCTIONS = 25

# What could become markup, an address or a command, or change the order of letters.
HOSTILE = ["</script><script>window.hacked=1</script>", "<img src=//x.invalid onerror=window.hacked=1>",
           "\u202egnp.exe", "a\u2028b\u2029c", "__proto__", "constructor", "%22&k=2#f=main", "' ; rm -rf / ; '",
           "$(touch hacked)", "javascript:window.hacked=1", "]]>--><!--", "&lt;b&gt;", "+a b%20c", "x" * 65536]

# Visits each address, shows every column and row of its table, and returns the cells. For a
# function, its own numbers, and the rows of its callers and callees.
READ_PAGE = """((places, functions) => {
  // Without waiting for the browser, which sends this event later.
  const go = (place) => {
    history.replaceState(null, "", `#${place}`);
    dispatchEvent(new Event("hashchange"));
  };
  const value = (cell) => [cell.dataset.value ?? null, cell.querySelector(".bar") ? cell.lastChild.textContent : cell.textContent];
  // Folded frames are no rows of the report.
  const rowsOf = (root) => [...root.querySelectorAll("tr[data-row]")].filter((row) => !row.matches("[aria-level].rest"));
  const cells = (root) => Object.fromEntries(rowsOf(root).map((row, at) => [row.ariaLevel ? at : row.dataset.row, [...row.cells].map(value)]));
  const everyRow = () => {
    const boxes = document.querySelectorAll(".rows:not(.whole)");
    for (const box of boxes) box.style.maxHeight = "none";
    if (boxes.length) dispatchEvent(new Event("resize"));
  };
  const answers = {};
  for (const place of places) {
    go(place);
    const box = document.querySelector(".rows");
    if (!box) continue;
    const chooser = document.querySelector(".chooser");
    if (chooser) {
      chooser.dispatchEvent(new Event("toggle"));
      for (const one of chooser.querySelectorAll("input")) if (!one.checked) one.click();
    }
    everyRow();
    for (let one; (one = box.querySelector('[aria-expanded="false"]')); ) one.click();
    const heads = [...box.querySelectorAll("th")].map((head) => head.dataset.column);
    const byColumn = (row) => Object.fromEntries(row.map((cell, at) => [heads[at], cell]));
    answers[place] = Object.fromEntries(Object.entries(cells(box)).map(([at, row]) => [at, byColumn(row)]));
  }
  for (const place of functions) {
    go(place);
    everyRow();
    const side = (label) => Object.values(cells(document.querySelector(`section[aria-label="${label}"]`) ?? document.createElement("p")));
    const own = [...document.querySelectorAll('dl[data-section="graph"] dd')].map((one) => [one.dataset.column, [one.dataset.value, one.textContent]]);
    answers[place] = { own: Object.fromEntries(own), callers: side("Callers"), callees: side("Callees") };
  }
  return answers;
})"""


class Trial:
    def __init__(self, profan, opened, axe, folder):
        self.profan, self.axe, self.folder = profan, axe, folder
        self.browser = opened
        self.n_checks, self.failures = 0, []

    def check(self, is_true, what):
        self.n_checks += 1
        if not is_true:
            self.failures.append(what)
            print(f"WRONG: {what[:400]}")

    def report(self, words, name, cwd):
        """Writes a report into the folder; `None` if there is nothing to show."""
        path = self.folder / name
        words = words if isinstance(words, list) else words.split()
        first = words[:1] if words[0] == "diff" else []
        done = subprocess.run([self.profan, *first, "-o", str(path), *words[len(first):]], cwd=cwd, text=True,
                              capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
        return path if done.returncode in (0, 1) and path.exists() else None

    def open(self, path, fragment=""):
        self.browser.open(path, fragment)

    def go(self, fragment):
        self.browser.run(f"(location.hash = {json.dumps(fragment)}, new Promise((done) => setTimeout(done, 30)))")

    def quiet(self, what):
        """No message on the console, no request but the file."""
        self.browser.look()
        self.check(not self.browser.messages, f"{what}: console: {self.browser.messages[:3]}")
        others = [url for url in self.browser.requests if not url.startswith(("file:", "about:", "data:"))]
        self.check(not others, f"{what}: requests: {others[:3]}")

    def views(self):
        """The addresses of all views, of the hottest function, and of the flame graph."""
        return self.browser.run("""[...document.querySelectorAll('nav a'), ...[...document.querySelectorAll('.functions td a')].slice(0, 1)]
            .map((one) => one.getAttribute('href')).concat(document.querySelector('.flame') ? ['#flame'] : [])""")

    def accessible(self, what):
        if not self.axe:
            return
        self.browser.call("Runtime.evaluate", expression=self.axe)
        found = self.browser.run("""axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa",
            "wcag22aa", "best-practice"] }).then((all) => all.violations.map((one) =>
            `${one.id}: ${one.nodes.slice(0, 2).map((node) => node.html.slice(0, 200))}`))""")
        self.check(not found, f"{what}: axe: {found}")


# ---- Numbers ----

def flattened(row):
    """A row of JSON with those that belong to it, in the order of the report."""
    for key in ["callers"]:
        for inner in row.get(key, []):
            yield from flattened(inner)
    yield row
    for key in ["inlines", "frames", "members", "callees"]:
        for inner in row.get(key, []):
            yield from flattened(inner)


def value_of(row, column, primary):
    metric, role = column.get("metric"), column["role"]
    group = {"self": "values", "total": "total_values"}.get(role)
    if metric and metric != primary and group and metric in row.get(group, {}):
        return row[group][metric]
    return row.get(column["id"])


UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def has_unit(text, value):
    """Whether a text is a number in a unit that fits, with three digits or one decimal, or in groups of digits."""
    number, _, unit = text.lstrip("+").partition(" ")
    if unit in UNITS:
        digits = 10.0 ** -len(number.partition(".")[2])
        return math.isclose(float(number) * UNITS[unit], value, abs_tol=0.51 * digits * UNITS[unit])
    return isinstance(value, int) and f"{value:,}" == number


def shown(value, column):
    """A number as text shows it."""
    form = column.get("print") or ({"decimals": 2} if column["role"] == "limit" else None)
    if isinstance(value, int):
        text = str(value)
    elif form:
        text = f"{value:.{form['decimals']}f}"
    else:
        return None
    is_signed = form and (form.get("signed") or column["role"] == "change" and column.get("print"))
    return f"+{text}" if is_signed and value > 0 else text


def clean(name):
    """A name with control characters and invisible ones escaped."""
    code = lambda letter: f"\\x{ord(letter):02x}" if ord(letter) < 256 else f"\\u{{{ord(letter):x}}}"
    return "".join(code(letter) if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") else letter for letter in name)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def same(cell, value, column):
    raw, text = cell
    if raw is None or (int(raw) != value if isinstance(value, int) else not math.isclose(float(raw), value, rel_tol=1e-5 if column["role"] == "share" else 1e-8)):
        return False
    expected = shown(value, column)
    # Pages have nine digits of a number with a fraction.
    has_more_digits = isinstance(value, float) and abs(value) >= 1e9
    # Times per call have the unit of their column in JSON.
    per_call = re.fullmatch("([mun]?s)/call", column["head"][1].strip())
    value = value * UNITS[per_call[1]] if per_call else value
    return expected is None or column["id"] == "calls" or has_more_digits or text == expected or has_unit(text, value)


def large_frames(rows):
    """The frames that have a share of any value that a page can choose."""
    values = {key for row in rows for key in row if key.startswith("weight_") and not key.startswith("weight_label:")}
    values -= {"weight_old", "weight_new", "weight_change"}
    shares = [row["percent"] for row in rows]
    for value in values:
        totals = [row.get(value, 0) for row in rows]
        for at in reversed(range(len(rows))):
            caller = next((one for one in reversed(range(at)) if rows[one]["depth"] < rows[at]["depth"]), None)
            if caller is not None:
                totals[caller] += totals[at]
        whole = sum(row.get(value, 0) for row in rows)
        shares = [max(share, total / whole * 100 if whole else 0) for share, total in zip(shares, totals)]
    return [row for row, share in zip(rows, shares) if share >= LEAST_PERCENT]


def check_numbers(trial, what, page, report):
    """The numbers of every section and function, read back from the document."""
    trial.open(page)
    places = trial.browser.run("JSON.parse(document.getElementById('data').textContent).sections.map((one) => one.id)")
    primary = next((one["id"] for one in report["metrics"] if one.get("primary")), None)
    sections, functions = {}, {}
    graph_columns = []
    n_cells_of_charts = 0
    for section in report["sections"]:
        section_id = section["id"]
        # Left out: numbers of entries, which a page does not have.
        if section_id == "index":
            continue
        if section_id not in places:
            trial.check(False, f"{what}: no {section_id}")
            continue
        entries = section["rows"]
        if section_id == "flat" and not what.endswith(", saved"):
            # Functions with equal self costs are in the order of their totals, as on a terminal.
            entries = sorted(entries, key=lambda row: (-row.get("self", row.get("percent", 0)), -row.get("total", 0)))
        rows = [one for row in entries for one in flattened(row)]
        if section_id in ("tree", "tree-difference"):
            rows = large_frames(rows)
        if section_id == "trace-history":
            n_cells_of_charts += check_chart(trial, what, rows)
            continue
        if not rows:
            continue
        has = lambda column: column.get("print") or any(value_of(row, column, primary) is not None for row in rows)
        columns = [one for one in section["columns"] if one["role"] not in ("bar", "cumulative") and has(one)]
        for column in columns:
            # As on terminals.
            if section_id == "flat" and column["id"] == "percent":
                column["print"]["decimals"] = 1
        if section_id == "graph":
            graph_columns = columns
            for entry in section["rows"]:
                if isinstance(entry.get("name"), str):
                    functions.setdefault("f=" + urllib.parse.quote(clean(entry["name"]), safe=""), []).append(entry)
        elif places.count(section_id) == 1:
            sections["source=0" if section_id == "source" else section_id] = rows, columns
    # Functions of one name have their origin in their addresses too.
    functions = [(place, entries[0]) for place, entries in functions.items() if len(entries) == 1][:MOST_FUNCTIONS]
    found = trial.browser.run(f"{READ_PAGE}({json.dumps(list(sections))}, {json.dumps([place for place, _ in functions])})")
    n_cells = n_cells_of_charts
    for place, (rows, columns) in sections.items():
        shown_rows = found.get(place, {})
        # A page has functions with a total alone and inlined code too.
        is_more = place == "flat" and len(shown_rows) > len(rows)
        alone = [at for at, row in shown_rows.items() if is_more and float(row["percent"][0] or 0) == 0 and row.get("calls", [None])[0] is None]
        shown_rows = {str(at): row for at, row in enumerate(row for number, row in shown_rows.items() if number not in alone)} if alone else shown_rows
        has_all = len(shown_rows) >= len(rows) if place == "flat" else len(shown_rows) == len(rows)
        trial.check(has_all, f"{what}: {place}: {len(shown_rows)} of {len(rows)} rows")
        for number, row in enumerate(rows):
            shown_row = shown_rows.get(str(number), {})
            for column in columns:
                cell = shown_row.get(column["id"])
                value = value_of(row, column, primary)
                n_cells += is_number(value)
                if is_number(value) and not (cell and same(cell, value, column)) or value is None and cell != [None, ""]:
                    trial.check(False, f"{what}: {place}: row {number}, {column['id']}: {cell}, not {value}")
    for place, entry in functions:
        n_cells += check_function(trial, f"{what}: {place}", entry, found[place], graph_columns, primary)
    trial.quiet(what)
    return n_cells


def check_chart(trial, what, rows):
    """The points of the heap over time, and the numbers below the picture."""
    heights = [row["bytes"] for row in rows if "bytes" in row]
    lines = [row["line_bytes"] for row in rows if "line_bytes" in row]
    if not heights:
        return 0
    trial.go("trace-history")
    points = trial.browser.run("document.querySelector('.chart polygon').getAttribute('points')").split()[1:-1]
    expected = [f"{(at + side) / len(heights) * 1000:.1f},{300 - height / max(heights) * 290:.1f}" for at, height in enumerate(heights) for side in (0, 1)]
    number = lambda text: [float(one) for one in text.split(",")]
    same = len(points) == len(expected) and all(math.dist(number(a), number(b)) < 0.2 for a, b in zip(points, expected))
    trial.check(same, f"{what}: the heap over time: {points[:4]}, not {expected[:4]}")
    words = trial.browser.run("document.querySelector('figcaption').textContent")
    events = next((row["events"] for row in rows if "events" in row), None)
    most = re.search("at most ([^,]+), over ([0-9,]+) ", words)
    trial.check(most and has_unit(most[1], lines[-1]) and most[2] == f"{events:,}", f"{what}: {words}")
    return len(heights) + 2


def check_function(trial, what, entry, found, columns, primary):
    numbers_of = lambda row: [(column, value) for column in columns if is_number(value := value_of(row, column, primary))]
    n_cells = 0
    for column, value in numbers_of(entry):
        cell = found["own"].get(column["id"])
        if cell:
            n_cells += 1
            trial.check(same(cell, value, column), f"{what}: {column['id']}: {cell}, not {value}")
    for side, others in [("callers", entry.get("callers", [])), ("callees", entry.get("members", []) + entry.get("callees", []))]:
        trial.check(len(found[side]) == len(others), f"{what}: {len(found[side])} of {len(others)} {side}")
        for other, cells in zip(others, found[side]):
            numbers = [value for _, value in numbers_of(other)]
            cells = [cell for cell, _ in cells if cell is not None]
            n_cells += len(cells)
            wrong = [cell for cell in cells if not any(math.isclose(float(cell), one, rel_tol=1e-5) for one in numbers)]
            trial.check(not wrong, f"{what}: {other.get('name')}: {wrong} not in {numbers}")
    return n_cells


def every_fixture():
    """Each kind of file, and every file of the fixtures that is not large."""
    files = sorted(path for path in FIXTURES.rglob("*") if path.is_file())
    small = [path for path in files if "expected" not in path.parts and path.stat().st_size < 300_000]
    return KINDS + [(path.parent.relative_to(FIXTURES), path.name) for path in small]


def numbers(trial, cases):
    """The numbers of each page, and of the page of its saved report, are those of JSON."""
    begin = time.monotonic()
    n_cells = n_pages = 0
    known = set()
    trial.browser.size(1280, 800)
    for folder, words in cases:
        saved = trial.report(words, "saved.json", FIXTURES / folder)
        if not saved:
            continue
        text = saved.read_bytes()
        report = json.loads(text)
        page = trial.report(words, "page.html", FIXTURES / folder)
        trial.check(page is not None, f"{words}: no page")
        if page and text not in known:
            known.add(text)
            n_pages += 1
            n_cells += check_numbers(trial, f"{folder}: {words}", page, report)
            again = trial.report([str(saved)], "again.html", FIXTURES / folder)
            trial.check(again is not None, f"{folder}: {words}: no page of the saved report")
            if again and n_pages <= len(KINDS):
                check_numbers(trial, f"{folder}: {words}, saved", again, report)
        for path in filter(None, [saved, page]):
            path.unlink()
    print(f"{n_cells} numbers of {n_pages} pages are those of JSON ({time.monotonic() - begin:.0f} s)")


# ---- Steps of a reader ----

def rows_in_view(trial):
    return trial.browser.run("[...document.querySelectorAll('.rows tr[data-row]')].map((row) => row.querySelector('.name .parts')?.textContent)")


def walk(trial, page, report):
    """Sorts, searches, walks, follows a link, goes back, zooms, prints."""
    tab = trial.browser
    flat = next(one for one in report["sections"] if one["id"] == "flat")["rows"]
    trial.open(page, "#flat")
    tab.run("[...document.querySelectorAll('th button')].find((one) => one.textContent === 'calls').click()")
    n_rows = len(rows_in_view(trial))
    expected = sorted((row for row in flat if "calls" in row), key=lambda row: -row["calls"])
    trial.check(rows_in_view(trial)[:len(expected)] == [row["name"] for row in expected], "sort by calls")
    trial.check(tab.run("document.querySelector('th[aria-sort=descending]').textContent") == "calls", "aria-sort")
    heads = tab.run("document.querySelector('main thead').textContent")
    trial.check("cumulative" not in heads, f"running sums in another order: {heads}")
    command = tab.run("document.querySelector('.command code').textContent")
    trial.check(command == "profan -p --sort calls gmon.out primes", f"command: {command}")
    tab.run("document.activeElement.blur()")
    tab.key("/")
    for letter in "is_":
        tab.key(letter)
    expected = [row for row in flat if "is_" in row["name"]]
    trial.check(len(rows_in_view(trial)) == len(expected), "search")
    status = tab.run("document.querySelector('.status').textContent")
    share = math.fsum(row["percent"] for row in expected)
    trial.check(status == f"matched {share:.1f} % in {len(expected)} rows", f"share: {status}")
    tab.run("[...document.querySelectorAll('.tools label')].find((one) => /Hide/.test(one.textContent)).querySelector('input').click()")
    trial.check(len(rows_in_view(trial)) == n_rows - len(expected), "hide")
    tab.run("[...document.querySelectorAll('.tools label')].find((one) => /Uncertainty/.test(one.textContent)).querySelector('input').click()")
    heads = tab.run("[...document.querySelectorAll('main thead th')].map((one) => one.textContent)")
    trial.check("at least" in heads and "cumulative seconds" not in heads, f"uncertainty: {heads}")
    tab.run("document.querySelector('tbody tr[tabindex=\"0\"]').focus()")
    tab.key("ArrowDown")
    trial.check(tab.run("document.activeElement.dataset.line") == "1", "arrow keys move the row")
    first = tab.run("document.activeElement.querySelector('.name .parts').textContent")
    tab.key("Enter")
    time.sleep(0.1)
    trial.check(tab.run("document.querySelector('h1').textContent") == first, f"Enter opens {first}")
    tab.run("document.querySelector('section[aria-label=Callers] a').click()")
    time.sleep(0.1)
    caller = tab.run("document.querySelector('h1').textContent")
    trial.check(caller != first, "a caller opens")
    tab.run("history.back()")
    time.sleep(0.2)
    trial.check(tab.run("document.querySelector('h1').textContent") == first, "back")
    trial.open(page, "#f=strike_out")
    trial.check(tab.run("document.querySelector('h1').textContent") == "strike_out", "a shared link")
    trial.check(tab.run("document.querySelector('nav a[aria-current]').textContent") == "Bench", "where one is")
    trial.check(tab.run("document.querySelector('tr.selected .parts').textContent") == "strike_out", "the list has the function")
    line = tab.run("document.querySelector('.pane.code tr[tabindex=\"0\"] td:nth-last-child(2)').textContent")
    trial.check(line == "29", f"the source opens at the function, not at {line}")
    trial.check(tab.run("document.querySelector('.command code').textContent") == "profan -qstrike_out gmon.out primes", "command of a function")
    trial.open(page, "#f=count_by_sieve")
    sides = tab.run("[...document.querySelectorAll('.stacks .picture')].map((one) => [...one.querySelectorAll('.frame')].map((frame) => [parseFloat(frame.style.top), frame.dataset.label]).sort((a, b) => a[0] - b[0]).map((frame) => frame[1]))")
    trial.check(sides == [["main", "count_by_sieve"], ["strike_out"]], f"stacks above and below: {sides}")
    trial.open(page, "#flame")
    tab.run("document.querySelector('.flame').focus()")
    for key in ["ArrowDown", "ArrowDown", "ArrowDown", " "]:
        tab.key(key)
    zoomed = tab.run("(() => { const one = document.activeElement; return [one.dataset.label, one.style.width, one.dataset.row]; })()")
    trial.check(zoomed[1] == "100%" and int(zoomed[2]) > 0, f"zoom: {zoomed}")
    tab.key("Escape")
    trial.check(tab.run("document.activeElement.style.width") != "100%", "out of the zoom")
    tab.run("(() => { const one = document.querySelector('.search'); one.value = '/^is_/'; one.dispatchEvent(new Event('input')); })()")
    time.sleep(0.2)
    found = tab.run("[...document.querySelectorAll('.frame.found')].map((one) => one.dataset.label)")
    trial.check(len(found) == 3, f"found frames: {found}")
    trial.open(page, "#tree")
    tab.run("document.querySelector('tbody tr[tabindex=\"0\"]').focus()")
    before = len(rows_in_view(trial))
    tab.key("ArrowLeft")
    trial.check(len(rows_in_view(trial)) == 1 < before, "a frame closes")
    tab.key("ArrowRight")
    trial.check(len(rows_in_view(trial)) == before, "a frame opens")
    trial.open(page, "#source=0")
    trial.check(tab.run("document.querySelector('.heat4') !== null"), "heat")
    trial.check(len(tab.pdf()) > 5000, "prints")
    # On paper the dark scheme would be black on black.
    if trial.browser.paper(True):
        for view in trial.views():
            trial.go(view)
            dark = tab.run(DARK)
            trial.check(not dark, f"dark on paper: {view}: {dark}")
        trial.browser.paper(False)
    # By keyboard alone: every stop of the Tab key is visible.
    trial.open(page, "#flat")
    stops = []
    for _ in range(30):
        tab.key("Tab")
        stops.append(tab.run("(() => { const one = document.activeElement; const box = one.getBoundingClientRect(); return [one.tagName, one.textContent.slice(0, 20), box.width > 0]; })()"))
    trial.check(all(stop[2] for stop in stops), f"stops: {stops}")
    trial.check(any(stop[0] == "TR" for stop in stops) and any(stop[1] == "Copy" for stop in stops), "stops at rows and commands")
    trial.quiet("walk")


def walk_of_sides(trial):
    """The stacks of a difference, in colours and words, and files side by side."""
    tab = trial.browser
    page = trial.report(DIFFERENCE, "sides.html", FIXTURES / "tour")
    trial.open(page, "#flame")
    frames = tab.run("[...document.querySelectorAll('.frame')].map((one) => [one.dataset.label, one.className.split(' ')[1], one.getAttribute('aria-label')])")
    same = next((one for one in frames if one[0].startswith("same ")), None)
    trial.check(same == ["same +126.1 %", "c14", "same: +126.1 %, from 0.59 to 1.34 s"], f"a slower frame: {same}")
    gone = next((one for one in frames if one[2].startswith("hash:")), None)
    trial.check(gone and gone[1] == "c10" and "-97.9 %" in gone[2], f"a faster frame: {gone}")
    trial.check(tab.run("document.querySelectorAll('.groups li').length") == 5, "a legend of changes")
    trial.open(page, "#tree-difference")
    words = tab.run("[...document.querySelectorAll('tr.worse')].map((one) => [...one.cells].map((cell) => cell.textContent)).find((one) => one.at(-1).includes('same'))")
    trial.check(words and words[1:4] == ["0.59", "1.34", "+126.1"], f"a row of both sides: {words}")
    trial.quiet("sides")
    page = trial.report(BY_FILE, "files.html", FIXTURES / "tour")
    saved = json.loads(trial.report(BY_FILE, "files.json", FIXTURES / "tour").read_bytes())
    by_file = next(one for one in saved["sections"] if one["id"] == "by-file")["rows"]
    trial.open(page, "#runs")
    found = tab.run("[...document.querySelectorAll('tr[data-row]')].map((one) => [...one.cells].map((cell) => cell.textContent))")
    heads = tab.run("[...document.querySelectorAll('main thead th')].map((one) => one.textContent)")
    for row in by_file:
        cells = next((one for one in found if one[0] == row["name"]), [])
        cell = cells[heads.index(row["profile"].rpartition("/")[2])] if cells else None
        trial.check(cell and has_unit(cell, row["self_seconds"]), f"side by side: {row['profile']}, {row['name']}: {cell}")
    tab.run("document.querySelector('tr[data-row] a').click()")
    time.sleep(0.1)
    trial.check(tab.run("document.querySelectorAll('.files tr[data-row]').length") == 3, "a function by file")
    trial.quiet("files")


def walk_of_selection(trial):
    """A function stays selected from view to view; order, search and zoom are in the address."""
    tab = trial.browser
    follow = lambda title: (tab.run(f"[...document.querySelectorAll('nav a')].find((one) => one.textContent === '{title}').click()"), time.sleep(0.1))
    page = trial.folder / "primes.html"
    trial.open(page, "#flat")
    tab.run("[...document.querySelectorAll('td.name')].find((one) => one.textContent === 'strike_out').click()")
    trial.check("f=strike_out" in tab.run("location.hash"), "the selection is in the address")
    for title in ["Call tree", "Bench", "Flat profile"]:
        follow(title)
        names = tab.run("[...document.querySelectorAll('tr.selected .parts')].map((one) => one.textContent)")
        trial.check(names and set(names) == {"strike_out"}, f"selected in {title}: {names}")
    follow("Bench")
    tab.run("[...document.querySelectorAll('.steps a')].find((one) => /flame/.test(one.textContent)).click()")
    time.sleep(0.1)
    names = tab.run("[...document.querySelectorAll('.frame.selected')].map((one) => one.getAttribute('aria-label').split(':')[0])")
    trial.check(names and set(names) == {"strike_out"}, f"selected in the flame graph: {names}")
    tab.run("[...document.querySelectorAll('.frame')].find((one) => one.dataset.label === 'count_by_sieve').click()")
    address = tab.run("location.hash")
    trial.check("zoom=" in address and "f=strike_out" in address, f"zoom and selection: {address}")
    trial.open(page, address)
    trial.check(tab.run("[...document.querySelectorAll('.frame')].find((one) => one.dataset.label === 'count_by_sieve').style.width") == "100%", "the address opens the zoom")
    trial.open(page)
    tab.run("document.querySelectorAll('.frame')[2].click()")
    tab.run("history.back()")
    time.sleep(0.2)
    trial.check("zoom" not in tab.run("location.hash") and tab.run("document.querySelectorAll('.frame')[2].style.width") != "100%", "back leaves the zoom, not the view")
    for detail in [1, 2]:
        tab.run("[...document.querySelectorAll('.frame')].find((one) => one.dataset.label === 'count_by_sieve')"
                f".dispatchEvent(new MouseEvent('click', {{ bubbles: true, detail: {detail} }}))")
    name = tab.run("document.querySelector('.panes h1').textContent")
    trial.check("f=" in tab.run("location.hash") and name == tab.run("document.querySelector('tr.selected .parts').textContent"), f"a double click selects {name}")
    for _ in range(2):
        tab.run("history.back()")
        time.sleep(0.2)
    trial.check(tab.run("location.hash") == "" and tab.run("document.querySelector('.flame') !== null"), "back to the whole program")
    tab.run("document.querySelectorAll('.frame')[2].dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: -1, clientX: 800 }))")
    trial.check("zoom=" in tab.run("location.hash"), "the wheel zooms")
    tab.run("document.querySelectorAll('.frame')[1].dispatchEvent(new MouseEvent('mousemove', { bubbles: true, clientX: 700, clientY: 300 }))")
    tip = tab.run("document.querySelector('.tip').innerText")
    trial.check("main" in tip and "100.0 %" in tip, f"a tip at the pointer: {tip}")
    trial.open(page, "#flat&sort=calls&up=&q=is_&zoom=-1")
    trial.check(tab.run("document.querySelector('th[aria-sort=ascending]').textContent") == "calls", "the address has the order")
    trial.check(all("is_" in name for name in rows_in_view(trial)), "the address has the search")
    for address in ["#flame&zoom=99999999", "#flame&zoom=x&f=%00", "#flat&sort=__proto__&up", "#f=&in=x&k=-1", "#source=9e9&f=main"]:
        trial.open(page, address)
        trial.check(tab.run("document.querySelector('h1') !== null"), f"a wrong address opens a view: {address}")
        trial.quiet(address)


def walk_of_choices(trial):
    """Sums by label and value are those of `--label` and `--value`; orders of frames add up."""
    tab = trial.browser
    folder = FIXTURES / "pprof/go"
    page = trial.report("cpu.pb.gz", "choices.html", folder)
    for options, fragment in [("--label worker=north", "#label=worker%3Dnorth"), ("--label worker=south", "#label=worker%3Dsouth"),
                              ("--value samples", "#value=samples"), ("--value cpu", "#")]:
        saved = json.loads(trial.report(f"{options} cpu.pb.gz", "choice.json", folder).read_bytes())
        expected = next(one for one in saved["sections"] if one["id"] == "flat")["rows"]
        trial.open(page, fragment)
        found = tab.run("""[...document.querySelectorAll('.functions tr[data-row]')].map((row) => [row.querySelector('.name').title.split(' — ')[0],
            Object.fromEntries([...row.cells].map((cell, at) => [row.closest('table').tHead.rows[0].cells[at].dataset.column, cell.dataset.value ?? null]))])""")
        found = dict(found)
        trial.check(len(found) > 3, f"{options}: {len(found)} functions")
        for row in expected:
            cells = found.get(row["name"])
            if row["percent"] < 1 and not cells:
                continue
            is_same = cells and all(math.isclose(float(cells[key]), row[key], abs_tol=0.11) for key in ["percent", "total_percent"] if key in row and cells.get(key) is not None)
            trial.check(is_same, f"{options}: {row['name']}: {cells}, not {row['percent']}, {row.get('total_percent')}")
        sums = []
        for way in ["", "up", "merged"]:
            tab.run(f"(document.querySelector('[name=way]').value = '{way}', document.querySelector('[name=way]').dispatchEvent(new Event('change')))")
            sums.append(tab.run("[...document.querySelectorAll('.frame')].filter((one) => one.style.top === '20px').reduce((sum, one) => sum + parseFloat(one.style.width), 0)"))
        trial.check(all(98 < one < 100.1 for one in sums), f"{options}: frames of three orders: {sums}")
        trial.quiet(f"{options}")
    trial.open(page, "#label=worker%3Dnorth&way=up")
    command = tab.run("document.querySelector('.command code').textContent")
    trial.check(command == "profan --tree=callers --label worker=north cpu.pb.gz", f"command of a choice: {command}")
    for address in ["#label=x%3Dy", "#value=__proto__&way=constructor", "#module=nowhere", "#label=worker%3Dnorth&f=main.work&zoom=1-2"]:
        trial.open(page, address)
        trial.check(tab.run("document.querySelector('h1') !== null"), f"a wrong choice opens a view: {address}")
        trial.quiet(address)
    trial.open(page)
    module = tab.run("document.querySelector('[name=module]').options[1].value")
    tab.run("(document.querySelector('[name=module]').selectedIndex = 1, document.querySelector('[name=module]').dispatchEvent(new Event('change')))")
    status = tab.run("document.querySelector('.functions .status').textContent")
    trial.check("matched" in status and "module=" in tab.run("location.hash"), f"functions of {module}: {status}")
    tab.run("history.back()")
    time.sleep(0.2)
    trial.check(tab.run("document.querySelector('[name=module]').value") == "", "back to all modules")
    trial.quiet("choices")


FLAT = """Object.fromEntries([...document.querySelectorAll('.functions tr[data-row]')].map((row) => [row.querySelector('.name').title.split(' — ')[0],
    Object.fromEntries([...row.cells].map((cell, at) => [row.closest('table').tHead.rows[0].cells[at].dataset.column, cell.dataset.value ?? null]))]))"""


def timed_samples():
    """A second of two threads: `read` until 0.4 s, `sort` in the thread 8 from 0.3 s, and `write` from 0.8 s."""
    samples = []
    for step in range(100):
        at = f"{12 + step / 100:.6f}: 10000000 cpu-clock:"
        samples.append((7, at, "read" if step < 40 else "write" if step >= 80 else "poll"))
        if step >= 30:
            samples.append((8, at, "sort"))
    return "".join(f"app 7/{thread} {at}\n\t1000 {name}+0x0 (/opt/app)\n\t2000 main+0x0 (/opt/app)\n\n" for thread, at, name in samples)


def walk_of_time(trial):
    """A range of time is chosen by keyboard, by numbers, with the pointer and by address, and Back undoes it; its sums
    are those of `--seconds`."""
    tab = trial.browser
    (trial.folder / "timed.perf").write_text(timed_samples())
    page = trial.report("timed.perf", "timed.html", trial.folder)
    trial.report("--tree -p -q timed.perf", "timed.json", trial.folder)
    saved = trial.report("timed.json", "timed-again.html", trial.folder)
    state = lambda: tab.run("[decodeURIComponent(location.hash), document.querySelector('.strip .status').textContent, document.querySelector('.sum strong').textContent]")
    press = lambda key, shift=False: tab.run(f"document.querySelector('.plot').dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', shiftKey: {json.dumps(shift)}, bubbles: true, cancelable: true }}))")
    for one in [page, saved]:
        trial.open(one)
        trial.check(tab.run("[...document.querySelectorAll('.lanes div')].map((one) => one.textContent)") == ["tid 7", "tid 8"], "lanes of threads")
        trial.check(tab.run("document.querySelectorAll('.plot path').length") == 2, "a path for each lane")
        # The other filters and the time together.
        for address, options in [("#seconds=0..0.30", ""), ("#seconds=0.35..0.9", ""), ("#seconds=0.8..", "--label tid=7"), ("#seconds=..0.5", "--value cpu-clock")]:
            label, value = "&label=tid%3D7" if "tid" in options else "", "&value=cpu-clock" if "value" in options else ""
            trial.open(one, address + label + value)
            command = tab.run("document.querySelector('.command code').textContent").replace("timed.json", "timed.perf")
            seconds = command.split("--seconds ")[1].split()[0]
            report = json.loads(trial.report(f"-p --seconds {seconds} {options} timed.perf", "part.json", trial.folder).read_bytes())
            found = tab.run(FLAT)
            expected = [row for row in report["sections"][0]["rows"] if row["self_seconds"] + row["total_seconds"] > 0]
            trial.check(len(found) == len(expected), f"{address}: {list(found)}")
            for row in expected:
                cells = found.get(row["name"], {})
                is_same = cells and math.isclose(float(cells["self"]) / 1e9, row["self_seconds"], abs_tol=1e-6) and math.isclose(float(cells["total"]) / 1e9, row["total_seconds"], abs_tol=1e-6)
                trial.check(is_same, f"{address}: {row['name']}: {cells}, not {row['self_seconds']}, {row['total_seconds']}")
            trial.quiet(address)
    trial.open(page)
    tab.run("document.querySelector('.plot').focus()")
    for _ in range(3):
        press("ArrowRight")
    trial.check(state()[0] == "", f"arrows move the mark: {state()}")
    for _ in range(4):
        press("ArrowRight", True)
    address, status, sum_ = state()
    trial.check(re.fullmatch(r"#seconds=0\.\d+\.\.0\.\d+", address) is not None and "%" in status, f"Shift chooses: {address}, {status}")
    trial.check(tab.run("document.activeElement.className") == "plot", "the strip keeps the focus")
    trial.check(status.startswith(sum_), f"the bar has the sum: {sum_}, {status}")
    tab.run("history.back()")
    time.sleep(0.3)
    trial.check(state()[:2] == ["", ""], f"Back undoes the range in one step: {state()}")
    tab.run("history.forward()")
    time.sleep(0.3)
    trial.check(state()[0] == address, f"forward: {state()}")
    press("Escape")
    trial.check(state()[0] in ("", "#") and tab.run("document.querySelector('.strip button').disabled"), f"Escape chooses the whole run: {state()}")
    tab.run("(document.querySelector('.strip input').value = ' 0.5', document.querySelector('.strip input').dispatchEvent(new Event('change')))")
    trial.check("seconds=0.5" in state()[0] or "seconds=0.4" in state()[0], f"numbers choose: {state()}")
    tab.run("(document.querySelector('.strip input').value = '<b>', document.querySelector('.strip input').dispatchEvent(new Event('change')))")
    trial.check(tab.run("document.querySelector('.strip input').value") == "0", f"what is no number is the whole run: {state()}")
    if isinstance(tab, browser.Browser):
        box = tab.run("(() => { const { left, top, width, height } = document.querySelector('.plot').getBoundingClientRect(); return [left, top, width, height]; })()")
        mouse = lambda kind, share, **more: tab.call("Input.dispatchMouseEvent", type=kind, x=box[0] + box[2] * share, y=box[1] + box[3] * 0.75, **more)
        mouse("mouseMoved", 0.2)
        trial.check("tid 8" in tab.run("document.querySelector('.tip').textContent"), "the pointer reads out a thread")
        mouse("mousePressed", 0.2, button="left", clickCount=1)
        mouse("mouseMoved", 0.6, button="left", buttons=1)
        mouse("mouseReleased", 0.6, button="left", clickCount=1)
        trial.check(re.match(r"#seconds=0\.(19|2)\d*\.\.0\.[56]\d*$", state()[0]) is not None, f"dragging chooses: {state()}")
    tab.run("document.querySelector('.functions td a').click()")
    trial.check("seconds=" in tab.run("location.hash") or not isinstance(tab, browser.Browser), "a function keeps the time")
    for wrong in ["#seconds=", "#seconds=..", "#seconds=9..1", "#seconds=-1..2", "#seconds=1e9..2", "#seconds=99999999999..", "#seconds=__proto__"]:
        trial.open(page, wrong)
        trial.check(tab.run("document.querySelector('.strip') !== null && document.querySelector('h1') !== null"), f"a wrong time opens the page: {wrong}")
        trial.quiet(wrong)
    for width in [390, 1280, 1920]:
        for is_dark in [False, True]:
            tab.size(width, 900, is_dark)
            trial.open(page, "#seconds=0.2..0.5")
            trial.accessible(f"strip at {width}")
            trial.check(tab.run("document.documentElement.scrollWidth") <= width, f"strip at {width}: too wide")
    tab.size(1280, 800)
    trial.open(page, "#flat")
    trial.check(tab.run("document.querySelector('.strip').hidden"), "tables have no strip")
    trial.quiet("time")


# Two functions of one name, in two libraries.
NAMESAKES = """app 1 1.0: 250000 cpu-clock:
\t1000 malloc+0x0 (/usr/lib/libc.so.6)
\t2000 load+0x0 (/opt/app)

app 1 1.1: 250000 cpu-clock:
\t3000 malloc+0x0 (/opt/libown.so)
\t4000 parse+0x0 (/opt/app)

"""


def walk_of_functions(trial):
    """Merged by function, each function has one frame at the top, with the total of the list."""
    page = trial.report("cpu.pb.gz", "functions.html", FIXTURES / "pprof/go")
    trial.open(page, "#way=functions")
    tops = trial.browser.run("""[...document.querySelectorAll('.flame .frame')].filter((one) => one.style.top === '20px')
        .map((one) => /^(.*): ([0-9.]+) %/.exec(one.getAttribute('aria-label')).slice(1))""")
    rows = trial.browser.run("""[...document.querySelectorAll('.functions tbody tr[data-row]')].map((one) =>
        [one.querySelector('.name .parts').textContent, one.cells[1].textContent])""")
    trial.check(len({name for name, _ in tops}) == len(tops) > 5, f"a function has one frame at the top: {tops}")
    wrong = [top for top in tops if top not in rows]
    trial.check(not wrong, f"totals of the frames at the top: {wrong}, not {rows}")
    trial.quiet("merged by function")


def walk_of_large_trees(trial):
    """A deep tree scrolls, and a page says how many frames of a large one are folded."""
    (trial.folder / "deep.folded").write_text(";".join(f"f{depth}" for depth in range(2500)) + " 7\n")
    stacks = ("main" + "".join(f";f{stack}_{depth}" for depth in range(300)) + f" {1000 + stack}\n" for stack in range(200))
    (trial.folder / "large.folded").write_text("".join(stacks))
    trial.open(trial.report("deep.folded", "deep.html", trial.folder))
    tab = trial.browser
    last = tab.run("""(() => { document.querySelector('.picture').scrollTop = 1e9; return new Promise((done) => setTimeout(done, 300)); })().then(() =>
        [document.querySelector('.picture').scrollTop, document.querySelector('.flame').lastChild.dataset.label])""")
    trial.check(last[0] > 2400 * 20 and last[1] == "f2499", f"scrolled to {last}")
    tab.run("document.querySelector('.flame').focus()")
    tab.key("Home")
    tab.key("ArrowDown")
    trial.check(tab.run("document.activeElement.dataset.label") == "f0", "keys lead back to the top")
    trial.quiet("a deep tree")
    trial.open(trial.report("large.folded", "large.html", trial.folder))
    words = tab.run("document.querySelector('.flame').closest('.panes').textContent")
    trial.check(re.search(r"1\d,\d{3} frames are folded into “…”, the smallest first: [\d.]+ % of the total", words), f"folded: {words[-900:]}")
    for way in ["up", "merged"]:
        tab.run(f"(document.querySelector('[name=way]').value = '{way}', document.querySelector('[name=way]').dispatchEvent(new Event('change')))")
        trial.check(tab.run("document.querySelectorAll('.flame .frame').length") > 50, f"frames of {way}")
    trial.quiet("a large tree")


def walk_of_questions(trial):
    """What a reader asks of a profile takes at most two clicks."""
    tab = trial.browser
    n_clicks = 0

    def click(selector):
        nonlocal n_clicks
        n_clicks += 1
        tab.run(f"document.querySelector({json.dumps(selector)}).click()")
        time.sleep(0.1)

    def ask(question, most, *answers):
        nonlocal n_clicks
        for selector, expected in answers:
            text = tab.run(f"""[...document.querySelectorAll({json.dumps(selector)})].filter((one) => {{
                const {{ width, height, top }} = one.getBoundingClientRect();
                return width > 0 && height > 0 && top >= 0 && top < innerHeight;
            }}).map((one) => one.textContent).join(" | ")""")
            trial.check(re.search(expected, text), f"{question}: {expected} is not in {text}")
        trial.check(n_clicks <= most, f"{question}: {n_clicks} clicks")
        n_clicks = 0

    FIRST = ".functions tbody tr[data-row]"
    tab.size(1280, 800)
    page = trial.report("gmon.out primes", "questions.html", FIXTURES / "tour")
    trial.open(page)
    ask("what is hot", 0, (FIRST, r"^30\.2 ?30\.2.*is_odd"))
    click(f"{FIRST} a")
    ask("who calls it", 1, ("section[aria-label=Callers] tbody tr", "^.*is_even"))
    trial.open(page)
    click(".functions tbody tr[data-row='1'] a")
    ask("which line", 1, (".pane.code .heat4, .pane.code .heat3", r"\w"))
    trial.open(page)
    click("header > .menu summary")
    ask("how sure is the whole", 1, ("header > .menu", r"the largest share is 30 % \+/- 9"))
    trial.open(page)
    click(".functions tbody tr[data-row='2'] a")
    ask("how sure is a function", 1, (".own", r"limits of the total\d+ ms to \d"))
    page = trial.report(DIFFERENCE, "questions-diff.html", FIXTURES / "tour")
    trial.open(page)
    ask("what changed", 0, ("header .sum", r"→ .* \+\d"), (FIRST, r"^.*\| [\d.]+ s\+\d.*unclear.*same"))
    click(".functions tbody tr[data-row='1'] a")
    ask("how a function changed", 1, (".facts dl", "verdict"))
    trial.quiet("questions")


def walk_of_namesakes(trial):
    """Each function of a name has an address of its own, which opens its callers."""
    tab = trial.browser
    (trial.folder / "namesakes.perf").write_text(NAMESAKES)
    page = trial.report("namesakes.perf", "namesakes.html", trial.folder)
    trial.open(page, "#flat")
    links = tab.run("[...document.querySelectorAll('td a')].filter((one) => one.textContent === 'malloc').map((one) => one.getAttribute('href'))")
    trial.check(len(set(links)) == 2, f"addresses of two functions: {links}")
    callers = []
    for link in links:
        trial.open(page, link)
        callers.append(tab.run("document.querySelector('section[aria-label=Callers] a').textContent"))
        place = tab.run("document.querySelector('.words').textContent")
        trial.check(("libc" in place) == (callers[-1] == "load"), f"{link}: {place}, called by {callers[-1]}")
    trial.check(sorted(callers) == ["load", "parse"], f"callers of two functions: {callers}")
    trial.quiet("namesakes")


# Elements with a dark background.
DARK = """[...document.querySelectorAll("body, body *")].filter((one) => {
  const color = getComputedStyle(one).backgroundColor;
  const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
  if (color.startsWith("oklch")) return red < 0.5;
  return alpha > 0 && 0.3 * red + 0.59 * green + 0.11 * blue < 120;
}).map((one) => one.tagName).slice(0, 3)"""

# Width, scheme, and whether colours are those of the user.
MANNERS = [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark"), (1280, "forced colours"), (360, "forced colours")]

# Frames, lines and rows that only a colour would tell apart where colours are forced.
ONLY_COLOUR = """[...document.querySelectorAll(".flame .frame, [class*=heat], nav a[aria-current]")].filter((one) => {
  const style = getComputedStyle(one);
  return parseFloat(style.borderTopWidth) + parseFloat(style.borderBottomWidth) === 0 || style.borderBottomColor === style.backgroundColor;
}).map((one) => one.className || one.tagName).slice(0, 3)"""


def every_view(trial, manners=MANNERS):
    """Each view at each size and scheme: nothing beyond the edge, nothing for axe."""
    n_views = 0
    for folder, words in KINDS:
        page = trial.report(words, "page.html", FIXTURES / folder)
        if not page:
            trial.check(False, f"{words}: no page")
            continue
        for width, scheme in manners:
            is_forced = scheme == "forced colours"
            trial.browser.size(width, 800, scheme == "dark", [{"name": "forced-colors", "value": "active"}] if is_forced else [])
            trial.open(page)
            for view in [*trial.views(), "menu 0", "menu 1"]:
                what = f"{words}: {view} at {width}, {scheme}"
                trial.go("" if view.startswith("menu") else view)
                if view.startswith("menu"):
                    trial.browser.run(f"(document.querySelectorAll('.menu')[{view[-1]}].open = true)")
                    left = trial.browser.run(f"document.querySelectorAll('.menu > div')[{view[-1]}].getBoundingClientRect().left")
                    trial.check(left >= 0, f"{what}: begins at {left}")
                n_views += 1
                size = trial.browser.run("[document.documentElement.scrollWidth, document.querySelector('main').textContent.length]")
                trial.check(size[0] <= width, f"{what}: {size[0]} wide")
                trial.check("[object" not in trial.browser.run("document.body.textContent"), f"{what}: an object as text")
                if is_forced:
                    only = trial.browser.run(ONLY_COLOUR)
                    trial.check(not only, f"{what}: without an edge: {only}")
                trial.accessible(what)
            trial.quiet(f"{words} at {width}, {scheme}")
    print(f"{n_views} views looked at")


def hostile(trial):
    (trial.folder / "hostile.folded").write_text("".join(f"main;{name} {number + 1}\n" for number, name in enumerate(HOSTILE) if ";" not in name) + "main;a b 3\n")
    page = trial.report("hostile.folded", "hostile.html", trial.folder)
    trial.check(page is not None, "a page of hostile names")
    for width in [1280, 360]:
        trial.browser.size(width, 800)
        trial.open(page)
        for view in trial.views():
            trial.go(view)
            links = trial.browser.run("[...document.querySelectorAll('td a')].map((one) => one.getAttribute('href'))")
            for link in links:
                if "f=main" in link:
                    continue
                trial.go(link)
                trial.check(trial.browser.run("document.querySelector('.own') !== null"), f"the link {link[:60]} opens its function")
            trial.go(view)
            trial.check(trial.browser.run("document.documentElement.scrollWidth") <= width, f"hostile: {view} at {width} is too wide")
        trial.check(trial.browser.run("window.hacked === undefined && document.querySelector('img') === null"), "a name is markup")
        unseen = trial.browser.run("/[\\u202e\\u2028\\u2029]/.test(document.body.innerText)")
        trial.check(not unseen, "invisible characters are shown as they are")
        trial.quiet("hostile names")
    trial.go("f=" + "".join(f"%{byte:02x}" for byte in "' ; rm -rf / ; '".encode()))
    command = trial.browser.run("document.querySelector('.command code')?.textContent ?? ''")
    words = shlex.split(command)
    trial.check(not command or words == ["profan", "-q' ; rm -rf / ; '", "hostile.folded"], f"the command {words}")


def state_of_pages(trial):
    """The reducer of the state, in node."""
    node = shutil.which("node")
    if not node:
        return print("left out: the state of pages (no node)")
    page = Path(__file__).resolve().parents[3] / "src/render/html/page/state.js"
    done = subprocess.run([node, Path(__file__).parent / "state.js", page], capture_output=True, text=True)
    trial.check(done.returncode == 0, f"the state of pages: {done.stderr}")


def every_step(trial):
    page = trial.report("gmon.out primes", "primes.html", FIXTURES / "tour")
    saved = trial.report("gmon.out primes", "primes.json", FIXTURES / "tour")
    trial.browser.size(1280, 800)
    state_of_pages(trial)
    walk(trial, page, json.loads(saved.read_bytes()))
    walk_of_selection(trial)
    walk_of_sides(trial)
    walk_of_namesakes(trial)
    walk_of_choices(trial)
    walk_of_time(trial)
    walk_of_functions(trial)
    walk_of_large_trees(trial)
    walk_of_questions(trial)
    hostile(trial)


# ---- Time ----

def write_large(path, n):
    """A callgrind profile of so many functions, each with a call."""
    with open(path, "w") as out:
        out.write("events: Ir\n\n")
        for number in range(n):
            cost = 1 + (number * 7919) % 100_003
            out.write(f"fl=src/file{number // 50}.c\nfn=module{number % 97}::function_{number}\n{number % 900 + 1} {cost}\n")
            if 2 * number + 1 < n:
                callee = 2 * number + 1
                out.write(f"cfi=src/file{callee // 50}.c\ncfn=module{callee % 97}::function_{callee}\ncalls={number % 13 + 1} 1\n{number % 900 + 2} {cost // 2}\n")
            out.write("\n")


def timings(trial):
    tab = trial.browser
    tab.size(1280, 800)
    for n in [10_000, 100_000]:
        profile = trial.folder / "large.callgrind"
        write_large(profile, n)
        begin = time.monotonic()
        trial.report("-p -q --tree large.callgrind", "large.json", trial.folder)
        between = time.monotonic()
        page = trial.report("-p -q --tree large.callgrind", "large.html", trial.folder)
        end = time.monotonic()
        size = page.stat().st_size
        print(f"{n} functions: page of {size} bytes in {end - between:.2f} s, JSON in {between - begin:.2f} s")
        trial.open(page)
        while not tab.run("performance.getEntriesByName('first-contentful-paint').length"):
            time.sleep(0.2)
        paint = tab.run("performance.getEntriesByName('first-contentful-paint')[0].startTime")
        time.sleep(2)
        trial.go("flat")
        times = tab.run("""(async () => {
          const wait = () => new Promise((done) => setTimeout(done, 50));
          for (let time = 0; time < 6; time++) {
            const heads = [...document.querySelectorAll("th button")];
            heads[(time >> 1) % 2 ? heads.length - 1 : 2].click();
            await wait();
          }
          const field = document.querySelector(".search");
          for (const text of ["f", "fu", "function_9", "/_9+$/", "module3::", ""]) {
            field.value = text;
            field.dispatchEvent(new Event("input"));
            await wait();
          }
          const of = (name) => performance.getEntriesByName(name).map((one) => Math.round(one.duration));
          const box = document.querySelector(".rows");
          const begin = performance.now();
          let slowest = 0;
          for (let step = 0; step < 60; step++) {
            const before = performance.now();
            box.scrollTop = (step * 7919 * 37) % box.scrollHeight;
            await new Promise((done) => requestAnimationFrame(done));
            slowest = Math.max(slowest, performance.now() - before);
          }
          return { parsed: performance.getEntriesByName("parsed")[0].startTime, viewed: of("viewed"), sorted: of("sorted"), searched: of("searched"), slowest };
        })()""")
        print(f"  first paint {paint:.0f} ms; {times}")
        if n == 10_000:
            trial.check(size < 2_000_000, f"{size} bytes")
        trial.check(paint < 1000, f"first paint {paint} ms")
        for what in ["sorted", "searched"]:
            trial.check(sorted(times[what])[len(times[what]) // 2] < 100, f"{what}: {times[what]} ms")
        trial.quiet(f"{n} functions")


def axe_of(given):
    places = [given, os.environ.get("AXE"), Path(__file__).parent / "node_modules/axe-core/axe.min.js"]
    for place in filter(None, places):
        if Path(place).is_file():
            return Path(place).read_text()
    return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--axe")
    arguments.add_argument("--numbers", action="store_true")
    arguments.add_argument("--timings", action="store_true")
    arguments.add_argument("profan")
    given = arguments.parse_args()
    path = browser.find()
    if not path:
        print("left out: pages in a browser (no chromium)")
        return 0
    axe = axe_of(given.axe)
    if not axe and not given.timings:
        print("left out: axe-core (no axe.min.js)")
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(os.path.abspath(given.profan), browser.Browser(path), axe, Path(folder))
        try:
            if given.timings:
                timings(trial)
            else:
                every_step(trial)
                every_view(trial)
                numbers(trial, every_fixture() if given.numbers else KINDS)
        finally:
            trial.browser.close()
        n_checks, n_wrong = trial.n_checks, len(trial.failures)
        firefox = None if given.timings else browser.find_firefox()
        if firefox:
            trial = Trial(trial.profan, browser.Firefox(firefox), None, Path(folder))
            try:
                every_step(trial)
                every_view(trial, [(1280, "light"), (360, "dark")])
            finally:
                trial.browser.close()
            n_checks += trial.n_checks
            n_wrong += len(trial.failures)
        elif not given.timings:
            print("left out: Firefox (no firefox-esr)")
    print(f"{n_checks} checks, {n_wrong} wrong")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())

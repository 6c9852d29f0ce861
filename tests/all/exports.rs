//! Formats of call stacks: each contains the stacks and weights of the folded ones, which `tree`
//! compares with the flat profile, and meets the requirements of its readers.
//!
//! `tests/trials/readers.py` compares with the readers themselves.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde_json::Value as Json;

use crate::support::run_line;
use crate::tree::profiles_below;

/// The weight of each stack; frames are separated by `;`.
type Stacks = BTreeMap<String, i128>;

#[test]
fn formats_of_stacks_have_the_stacks_of_the_folded_ones() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut n_checked = 0;
    for profile in profiles_below(&fixtures) {
        n_checked += usize::from(check(&profile));
    }
    assert!(n_checked >= 60, "{n_checked} profiles were checked");
}

#[test]
fn functions_of_tau_have_the_costs_of_the_flat_profile() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let made = tempfile::tempdir().expect("a temporary folder can be made");
    let mut n_checked = 0;
    for profile in profiles_below(&fixtures) {
        let directory = profile.parent().expect("it is in a folder");
        let name = profile.file_name().expect("it is a file").to_string_lossy();
        let program = if directory.join("prog").exists() { "prog" } else { "" };
        let out = made.path().join(n_checked.to_string());
        let line = format!("profan --format tau -z -o {} {name} {program}", out.display());
        if run_line(&line, b"", directory).status != 0 {
            continue;
        }
        let flat = format!("profan --format json -p -z {name} {program}");
        let report = json(&run_line(&flat, b"", directory).stdout);
        let Some(section) = array(&report, "sections").first().filter(|one| one["id"] == "flat")
        else {
            continue;
        };
        let text = std::fs::read_to_string(out.join("profile.0.0.0")).expect("it was written");
        let mut lines = text.lines();
        let head = lines.next().expect("it has a head");
        let is_time = head.ends_with("_TIME");
        let n_lines = head.split(' ').next().and_then(|n| n.parse().ok());
        assert_eq!(n_lines, Some(text.lines().count() - 3), "{name}");
        let found = lines.filter(|line| line.ends_with("TAU_DEFAULT\"")).skip(1);
        let mut found: Vec<_> = found.map(|line| tau_numbers(line, is_time)).collect();
        found.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
        let number = |row: &Json, keys: [&str; 2]| {
            let keys = if is_time { keys } else { [keys[1], keys[1]] };
            row[keys[0]].as_f64()
        };
        let entries = array(section, "rows").iter();
        let entries = entries.filter(|row| row["kind"] != "total" && row["kind"] != "cycle");
        // Functions of one name and place are one.
        let mut expected = BTreeMap::<String, [f64; 3]>::new();
        for row in entries {
            let of_self = number(row, ["self_seconds", "self"]).unwrap_or(0.0);
            let total = number(row, ["total_seconds", "total"]).unwrap_or(of_self);
            let place = ["name", "file", "line"].map(|key| row[key].to_string());
            let sum = expected.entry(place.concat()).or_default();
            let costs = [row["calls"].as_f64().unwrap_or(0.0), of_self, total];
            *sum = std::array::from_fn(|index| sum[index] + costs[index]);
        }
        let mut expected: Vec<_> = expected.into_values().collect();
        expected.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
        assert_eq!(found.len(), expected.len(), "{}", profile.display());
        let unit = if is_time { 1e-6 } else { 1.0 };
        // Ticks of unknown length are written in thousandths.
        let per_unit = if head.ends_with("_milliticks") { 1e3 } else { 1.0 };
        for (found, [calls, of_self, total]) in found.iter().zip(expected) {
            let expected = [calls, of_self * per_unit, total * per_unit];
            let are_near = found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < unit);
            assert!(are_near, "{}: {found:?} is not {expected:?}", profile.display());
        }
        n_checked += 1;
    }
    assert!(n_checked >= 60, "{n_checked} profiles were checked");
}

/// Calls, self and total cost in a line of TAU; seconds of time.
fn tau_numbers(line: &str, is_time: bool) -> [f64; 3] {
    // Names have no quotes.
    let numbers = line.split("\" ").nth(1).expect("numbers follow the name");
    let numbers: Vec<f64> = numbers.split(' ').filter_map(|number| number.parse().ok()).collect();
    let scale = if is_time { 1e-6 } else { 1.0 };
    [numbers[0], numbers[2] * scale, numbers[3] * scale]
}

/// Checks a profile. Returns whether it has call stacks.
fn check(profile: &Path) -> bool {
    let directory = profile.parent().expect("it is in a folder");
    let name = profile.file_name().expect("it is a file").to_string_lossy();
    let program = if directory.join("prog").exists() { "prog" } else { "" };
    let export = |format: &str| {
        let line = format!("profan --format {format} {name} {program}");
        run_line(&line, b"", directory).stdout
    };
    let expected = stacks_of_folded(&export("folded"));
    if expected.is_empty() {
        return false;
    }
    let place = profile.display();
    let pprof = export("pprof");
    assert_eq!(stacks_of_pprof(&pprof), expected, "{place}");
    let read_back = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(read_back.path().join("a.pb.gz"), &pprof).expect("it can be written");
    let again = run_line("profan --format folded a.pb.gz", b"", read_back.path()).stdout;
    assert_eq!(stacks_of_folded(&again), expected, "{place}");
    let speedscope = json(&export("speedscope"));
    assert_eq!(stacks_of_speedscope(&speedscope), expected, "{place}");
    assert_eq!(stacks_of_firefox(&json(&export("firefox"))), expected, "{place}");
    let rounding = if weights_are_nanoseconds(&speedscope) { 1000 } else { 1 };
    let found = stacks_of_cpuprofile(&json(&export("cpuprofile")));
    check_rounded(&found, &expected, rounding);
    // A node is within its caller, and the reader of this test refuses deep ones.
    let is_shallow = expected.keys().all(|stack| stack.matches(';').count() < 40);
    if is_shallow && speedscope["profiles"][0]["unit"] == "bytes" {
        let found = stacks_of_heapprofile(&json(&export("heapprofile")));
        assert_eq!(found, expected, "{place}");
    }
    true
}

#[test]
fn a_difference_has_the_stacks_of_both_sides() {
    let compare = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/compare");
    let export = |line: &str| run_line(&format!("profan {line}"), b"", &compare).stdout;
    let side = |files: &str| stacks_of_folded(&export(&format!("--format folded {files}")));
    for [old, new] in [
        ["old-1.gmon old", "new-3.gmon new"],
        ["old.callgrind", "new.callgrind"],
        ["old.heap", "new.heap"],
    ] {
        let diff = |format: &str| export(&format!("diff --format {format} {old} -- {new}"));
        let expected = [side(old), side(new)];
        assert!(expected.iter().all(|side| !side.is_empty()), "{old}");
        let folded = String::from_utf8(diff("folded")).expect("names are escaped");
        let mut found = [Stacks::new(), Stacks::new()];
        for line in folded.lines() {
            let (rest, after) = line.rsplit_once(' ').expect("two numbers");
            let (stack, before) = rest.rsplit_once(' ').expect("two numbers");
            let stack = stack.split(';').map(without_file).collect::<Vec<_>>().join(";");
            for (side, weight) in found.iter_mut().zip([before, after]) {
                let weight: i128 = weight.parse().expect("a whole number");
                if weight > 0 {
                    *side.entry(stack.clone()).or_default() += weight;
                }
            }
        }
        assert_eq!(found, expected, "{old}");
        let firefox = json(&diff("firefox"));
        let thread = &firefox["threads"][0]["samples"];
        let weights = array(thread, "weight").iter().map(Json::as_f64);
        let change: f64 = weights.map(|weight| weight.expect("a weight")).sum();
        let sum = |side: &Stacks| side.values().sum::<i128>();
        let per_unit = if thread["weightType"] == "tracing-ms" { 1e6 } else { 1.0 };
        assert_eq!(rounded(change * per_unit), sum(&expected[1]) - sum(&expected[0]));
        assert_eq!(stacks_of_pprof(&diff("pprof")), expected[1], "{old}");
    }
}

fn stacks_of_folded(bytes: &[u8]) -> Stacks {
    let text = std::str::from_utf8(bytes).expect("names are escaped");
    let mut stacks = Stacks::new();
    for line in text.lines() {
        let (stack, weight) = line.rsplit_once(' ').expect("a stack and a number");
        let weight: i128 = weight.parse().expect("a whole number");
        let frames: Vec<_> = stack.split(';').map(without_file).collect();
        *stacks.entry(frames.join(";")).or_default() += weight;
    }
    stacks
}

/// A frame without its file and object, which folded stacks have where several of them have the
/// name. Other formats keep both apart from names.
fn without_file(frame: &str) -> &str {
    let object = frame.strip_suffix(']').and_then(|frame| frame.rsplit_once(" ["));
    let frame = match object {
        Some((name, object)) if !name.starts_with("0x") && !object.contains([' ', ':']) => name,
        _ => frame,
    };
    match frame.strip_suffix(')').and_then(|frame| frame.rsplit_once(" (")) {
        Some((name, file)) if !name.is_empty() && file.contains(['/', '.']) => name,
        _ => frame,
    }
}

/// Adds a stack of names as folded stacks have them.
fn add(stacks: &mut Stacks, names: &[&str], weight: i128) {
    let frame = |name: &&str| {
        let name = name.replace(';', ":");
        match name.rsplit_once(' ') {
            Some((start, end)) if end.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.')) => {
                format!("{start}_{end}")
            }
            _ => name,
        }
    };
    let stack: Vec<_> = names.iter().map(frame).collect();
    if weight > 0 {
        *stacks.entry(stack.join(";")).or_default() += weight;
    }
}

/// The stacks of the default sample type; checks the requirements of the format and its readers.
fn stacks_of_pprof(gzip: &[u8]) -> Stacks {
    assert_eq!(gzip[4..8], [0; 4], "no time of writing");
    let mut bytes = Vec::new();
    let mut decoder = flate2::read::GzDecoder::new(gzip);
    decoder.read_to_end(&mut bytes).expect("it is gzip");
    let profile = Message::of(&bytes);
    let texts: Vec<_> = profile.all(6).map(|text| text.as_text()).collect();
    assert_eq!(texts[0], "");
    let text = |number: u64| texts[usize::try_from(number).expect("it is small")];
    let types: Vec<_> = profile.all(1).map(|one| one.message().number(1)).collect();
    let default = profile.number(14);
    let metric = types.iter().position(|&one| one == default);
    let metric = metric.expect("the default is one of the types");
    assert!(types.iter().all(|&one| !text(one).contains('-')));
    let in_order = |field| {
        let messages: Vec<_> = profile.all(field).map(Value::message).collect();
        for (id, message) in (1..).zip(&messages) {
            assert_eq!(message.number(1), id, "ids of {field} are in order");
        }
        messages
    };
    let (mappings, locations, functions) = (in_order(3), in_order(4), in_order(5));
    for mapping in &mappings {
        assert!((7..=10).all(|field| mapping.number(field) == 1));
    }
    let name_of = |location: u64| {
        let location = &locations[usize::try_from(location).expect("it is small") - 1];
        let mapping = usize::try_from(location.number(2)).expect("it is small");
        assert!((1..=mappings.len()).contains(&mapping));
        let line = location.all(4).next().expect("each location has a line");
        let function = usize::try_from(line.message().number(1)).expect("it is small");
        let function = &functions[function - 1];
        assert_ne!(function.number(2), function.number(3), "see `render/pprof`");
        text(function.number(2))
    };
    let mut stacks = Stacks::new();
    for sample in profile.all(2).map(Value::message) {
        let frames = sample.packed(1);
        let mut names: Vec<_> = frames.into_iter().map(name_of).collect();
        names.reverse();
        let values = sample.packed(2);
        assert_eq!(values.len(), types.len());
        let value = values[metric].cast_signed();
        // The base of a difference is below zero, and has a label.
        let label = sample.all(3).next().map(|label| text(label.message().number(1)));
        assert_eq!(label == Some("pprof::base"), value < 0);
        add(&mut stacks, &names, value.into());
    }
    stacks
}

fn json(bytes: &[u8]) -> Json {
    serde_json::from_slice(bytes).expect("it is JSON")
}

fn array<'j>(json: &'j Json, key: &str) -> &'j [Json] {
    let array = json[key].as_array();
    array.unwrap_or_else(|| panic!("{key} is an array"))
}

fn index(json: &Json) -> usize {
    let number = json.as_u64().expect("it is an index");
    usize::try_from(number).expect("it is small")
}

fn text(json: &Json) -> &str {
    json.as_str().expect("it is text")
}

/// The first profile of speedscope's file; all have the right lengths and sums.
fn stacks_of_speedscope(file: &Json) -> Stacks {
    assert_eq!(file["$schema"], "https://www.speedscope.app/file-format-schema.json");
    let frames = array(&file["shared"], "frames");
    for frame in frames {
        assert_eq!(frame["file"].is_string(), frame["line"].is_u64(), "{frame}");
    }
    let mut first = None;
    for profile in array(file, "profiles") {
        assert_eq!(profile["type"], "sampled");
        let (samples, weights) = (array(profile, "samples"), array(profile, "weights"));
        assert_eq!(samples.len(), weights.len());
        let mut stacks = Stacks::new();
        let mut sum = 0;
        for (sample, weight) in samples.iter().zip(weights) {
            let sample = sample.as_array().expect("a stack");
            let names = sample.iter().map(|frame| text(&frames[index(frame)]["name"]));
            let weight = weight.as_i64().expect("a weight").into();
            sum += weight;
            add(&mut stacks, &names.collect::<Vec<_>>(), weight);
        }
        assert_eq!(profile["endValue"].as_i64().map(i128::from), Some(sum));
        first.get_or_insert(stacks);
    }
    first.expect("there is a profile")
}

fn weights_are_nanoseconds(file: &Json) -> bool {
    file["profiles"][0]["unit"] == "nanoseconds"
}

#[test]
fn the_history_of_a_heap_is_a_counter_for_firefox() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let counter_of = |folder: &str, profile: &str| {
        let line = format!("profan --format firefox {profile}");
        let ran = run_line(&line, &[], &fixtures.join(folder));
        let file: Json = serde_json::from_slice(&ran.stdout).expect("it is JSON");
        let samples = &file["counters"][0]["samples"];
        let numbers = |id: &str| {
            let numbers = array(samples, id).iter();
            numbers.map(|one| one.as_f64().expect("a number")).collect()
        };
        let [times, counts]: [Vec<f64>; 2] = ["time", "count"].map(numbers);
        assert_eq!(times.len(), counts.len());
        assert!(times.is_sorted());
        // The memory in use after each change.
        let in_use = counts.iter().scan(0.0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        let in_use: Vec<f64> = in_use.collect();
        let samples = &file["threads"][0]["samples"];
        let deltas = array(samples, "timeDeltas").iter();
        let end: f64 = deltas.map(|one| one.as_f64().expect("a number")).sum();
        (in_use, end)
    };
    // The largest sum of mem_heap_B and mem_heap_extra_B, and the same of the last snapshot. Then
    // the time of that snapshot in thousands, less the rounding of the division.
    let (in_use, end) = counter_of("valgrind/heap", "massif.out");
    assert_eq!(in_use.iter().copied().fold(0.0, f64::max), 76736.0);
    assert_eq!(in_use.last(), Some(&50976.0));
    assert!(end > 194.1 && end <= 194.171, "{end}");
    // A trace has no call stacks; its 114 events, which free everything, are on the axis.
    let (in_use, end) = counter_of("mpatrol-trace/bins", "bins.trace");
    assert_eq!(in_use.last(), Some(&0.0));
    assert!(in_use.iter().any(|&bytes| bytes > 0.0));
    assert_eq!(end, 0.114);
}

/// To callgrind_annotate, the total of a function is the cost of all calls to it, or its own cost
/// and that of its calls if nothing calls it.
#[test]
fn calls_for_callgrind_add_up_to_the_totals_of_functions() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for (directory, files) in [
        ("tour", "gmon.out primes"),
        ("gprof/cycles", "gmon.out prog"),
        ("callgrind/recursion", "callgrind.out"),
        ("callgrind/levels", "callgrind.out"),
        ("callgrind/levels", "one-level.out"),
        ("callgrind/ring", "callgrind.out"),
        ("folded/stacks", "stacks.folded"),
    ] {
        let directory = fixtures.join(directory);
        let report = run_line(&format!("profan -p -z --format json {files}"), b"", &directory);
        let written = run_line(&format!("profan --format callgrind {files}"), b"", &directory);
        let report = json(&report.stdout);
        let mut expected: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for row in array(&report["sections"][0], "rows") {
            let seconds = row["total_seconds"].as_f64();
            let total = seconds.map_or(row["total"].as_f64(), |seconds| Some(seconds * 1e9));
            let name = row["name"].as_str().expect("each row has one");
            expected.entry(name.to_owned()).or_default().extend(total);
        }
        for (name, found) in inclusive_costs(&String::from_utf8_lossy(&written.stdout)) {
            let Some([total]) = expected.get(&name).map(Vec::as_slice) else {
                continue;
            };
            assert!((total - found).abs() <= 10.0, "{files}: {name} {found}, not {total}");
        }
    }
}

/// The totals of functions, as callgrind_annotate computes them.
fn inclusive_costs(text: &str) -> BTreeMap<String, f64> {
    let (mut names, mut costs) = (BTreeMap::new(), BTreeMap::<String, f64>::new());
    let mut of_calls: BTreeMap<String, f64> = BTreeMap::new();
    let (mut function, mut callee, mut is_call) = (String::new(), String::new(), false);
    for line in text.lines() {
        let of_key = |key: &str| line.strip_prefix(key)?.split_once(')');
        let (named, number) = (of_key("fn=("), of_key("cfn=("));
        if let Some((number, name)) = named.or(number) {
            let known = names.entry(number.to_owned()).or_insert_with(|| name.trim().to_owned());
            let end = if named.is_some() { &mut function } else { &mut callee };
            end.clone_from(known);
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            let cost = line.split(' ').nth(1).and_then(|cost| cost.parse::<f64>().ok());
            let cost = cost.expect("each line has a cost");
            *costs.entry(function.clone()).or_default() += cost;
            if std::mem::take(&mut is_call) {
                *of_calls.entry(callee.clone()).or_default() += cost;
            }
        }
    }
    costs.extend(of_calls);
    costs
}

#[test]
fn each_run_is_a_part_for_callgrind() {
    let tour = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tour");
    let made = tempfile::tempdir().expect("a temporary folder can be made");
    let path = made.path().join("ranks.callgrind");
    let files = "ranks/gmon.out.0 ranks/gmon.out.1 ranks/gmon.out.10 primes";
    let line = format!("profan --by-file -o {} {files}", path.display());
    assert_eq!(run_line(&line, &[], &tour).status, 0);
    let text = std::fs::read_to_string(&path).expect("it was written");
    let starts = |start: &str| -> Vec<_> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(start));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(starts("part: "), ["1", "2", "3"]);
    let titles = starts("desc: Trigger: ");
    assert_eq!(titles.len(), 3, "{titles:?}");
    for (title, file) in titles.iter().zip(["0", "1", "10"]) {
        assert!(title.ends_with(&format!("gmon.out.{file}")), "{title}");
    }
    let whole = |line: &str| {
        let ran = run_line(line, &[], &tour);
        let report: Json = serde_json::from_slice(&ran.stdout).expect("it is JSON");
        let rows = array(&report["sections"][0], "rows").iter();
        let costs = rows.map(|row| {
            let self_cost = row["self"].as_f64().unwrap_or(0.0);
            row["self_seconds"].as_f64().map_or(self_cost, |one| one * 1e9)
        });
        costs.sum::<f64>()
    };
    let totals = starts("totals: ").iter().map(|one| one.parse::<f64>()).collect();
    let totals: Vec<f64> = Result::expect(totals, "numbers");
    assert_eq!(totals.len(), 3);
    for (total, file) in totals.iter().zip(["0", "1", "10"]) {
        let of_file = whole(&format!("profan -p --format json ranks/gmon.out.{file} primes"));
        assert!((total - of_file).abs() < 10.0, "{file}: {total} {of_file}");
    }
    // Read again, the parts are one profile.
    let sum = whole(&format!("profan -p --format json {}", path.display()));
    assert_eq!(sum, totals.iter().sum::<f64>());
}

/// The first thread of a profile for Firefox; checks the lengths of tables.
fn stacks_of_firefox(file: &Json) -> Stacks {
    let thread = &file["threads"][0];
    for table in ["frameTable", "funcTable", "resourceTable", "stackTable", "samples"] {
        let length = index(&thread[table]["length"]);
        let columns = thread[table].as_object().expect("a table").values();
        let mut columns = columns.filter_map(Json::as_array);
        assert!(columns.all(|column| column.len() == length), "{table}");
    }
    let name_of = |stack: usize| {
        let frame = index(&thread["stackTable"]["frame"][stack]);
        let function = index(&thread["frameTable"]["func"][frame]);
        let resource = index(&thread["funcTable"]["resource"][function]);
        let object = index(&thread["resourceTable"]["lib"][resource]);
        assert!(file["libs"][object].is_object());
        text(&thread["stringArray"][index(&thread["funcTable"]["name"][function])])
    };
    let per_unit = match text(&thread["samples"]["weightType"]) {
        "tracing-ms" => 1e6,
        _ => 1.0,
    };
    let samples = &thread["samples"];
    let mut stacks = Stacks::new();
    for (stack, weight) in array(samples, "stack").iter().zip(array(samples, "weight")) {
        let mut names = Vec::new();
        let mut next = stack.as_u64();
        if next.is_none() {
            assert_eq!(weight, 0, "only the end of a history has no stack");
            continue;
        }
        while let Some(stack) = next {
            let stack = usize::try_from(stack).expect("it is small");
            names.push(name_of(stack));
            next = thread["stackTable"]["prefix"][stack].as_u64();
        }
        names.reverse();
        let weight = weight.as_f64().expect("a weight") * per_unit;
        add(&mut stacks, &names, rounded(weight));
    }
    stacks
}

#[expect(clippy::cast_possible_truncation, reason = "it is a time of days")]
fn rounded(number: f64) -> i128 {
    number.round() as i128
}

/// The stacks of a CPU profile in nanoseconds, as Visual Studio Code reads it: the delta after
/// a sample is its time, and the last one ends with the profile.
fn stacks_of_cpuprofile(file: &Json) -> Stacks {
    let nodes = array(file, "nodes");
    let mut caller = vec![None; nodes.len() + 1];
    for (id, node) in (1..).zip(nodes) {
        assert_eq!(index(&node["id"]), id);
        for child in node["children"].as_array().into_iter().flatten() {
            assert!(index(child) > id, "callers come first");
            caller[index(child)] = Some(id);
        }
    }
    let (samples, deltas) = (array(file, "samples"), array(file, "timeDeltas"));
    assert_eq!(samples.len(), deltas.len());
    let mut time = 0;
    let mut stacks = Stacks::new();
    for (sample, &node) in samples.iter().map(index).collect::<Vec<_>>().iter().enumerate() {
        time += deltas[sample].as_i64().expect("a time");
        let next = deltas.get(sample + 1).map(|delta| time + delta.as_i64().expect("a time"));
        let end = next.or(file["endTime"].as_i64()).expect("a time");
        let mut names = Vec::new();
        let mut next = Some(node);
        while let Some(id) = next.filter(|id| *id > 1) {
            names.push(text(&nodes[id - 1]["callFrame"]["functionName"]));
            next = caller[id];
        }
        assert_eq!(next, Some(1), "the root is above all");
        names.reverse();
        // Short ones may have no time left.
        add(&mut stacks, &names, i128::from(end - time).max(1));
    }
    stacks
}

fn check_rounded(found: &Stacks, expected: &Stacks, rounding: i128) {
    assert!(found.keys().eq(expected.keys()));
    for (stack, weight) in expected {
        let n_samples = 1 + i128::from(rounding > 1);
        let error = (found[stack] * rounding - weight).abs();
        assert!(error <= (rounding - 1) * n_samples, "{stack}: {error}");
    }
}

fn stacks_of_heapprofile(file: &Json) -> Stacks {
    fn visit<'j>(node: &'j Json, names: &mut Vec<&'j str>, stacks: &mut Stacks) {
        add(stacks, names, node["selfSize"].as_i64().expect("a size").into());
        for child in array(node, "children") {
            names.push(text(&child["callFrame"]["functionName"]));
            visit(child, names, stacks);
            names.pop();
        }
    }
    let mut stacks = Stacks::new();
    visit(&file["head"], &mut Vec::new(), &mut stacks);
    let sizes = array(file, "samples").iter().map(|one| one["size"].as_i64());
    let sum: i128 = sizes.map(|size| i128::from(size.expect("a size"))).sum();
    assert_eq!(stacks.values().sum::<i128>(), sum);
    stacks
}

/// A message in Protocol Buffers: its fields in order.
struct Message<'b>(Vec<(u64, Value<'b>)>);

#[derive(Clone, Copy)]
enum Value<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

impl<'b> Message<'b> {
    fn of(mut bytes: &'b [u8]) -> Self {
        let mut fields = Vec::new();
        while !bytes.is_empty() {
            let tag = varint(&mut bytes);
            let value = match tag & 7 {
                0 => Value::Number(varint(&mut bytes)),
                2 => {
                    let length = usize::try_from(varint(&mut bytes)).expect("it is small");
                    let (value, rest) = bytes.split_at(length);
                    bytes = rest;
                    Value::Bytes(value)
                }
                other => panic!("wire type {other}"),
            };
            fields.push((tag >> 3, value));
        }
        Self(fields)
    }

    fn all(&self, field: u64) -> impl Iterator<Item = Value<'b>> {
        let fields = self.0.iter().filter(move |(one, _)| *one == field);
        fields.map(|(_, value)| *value)
    }

    fn number(&self, field: u64) -> u64 {
        match self.all(field).next() {
            Some(Value::Number(number)) => number,
            Some(Value::Bytes(_)) => panic!("field {field} is a number"),
            None => 0,
        }
    }

    fn packed(&self, field: u64) -> Vec<u64> {
        let Some(Value::Bytes(mut bytes)) = self.all(field).next() else {
            panic!("field {field} is there")
        };
        let mut numbers = Vec::new();
        while !bytes.is_empty() {
            numbers.push(varint(&mut bytes));
        }
        numbers
    }
}

impl<'b> Value<'b> {
    fn bytes(self) -> &'b [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Number(_) => panic!("it is a number"),
        }
    }

    fn message(self) -> Message<'b> {
        Message::of(self.bytes())
    }

    fn as_text(self) -> &'b str {
        std::str::from_utf8(self.bytes()).expect("texts are UTF-8")
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let (&byte, rest) = bytes.split_first().expect("it ends");
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    number
}

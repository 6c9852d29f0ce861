//! Profiles written by hand.

use super::*;
use crate::model::RecordedCosts;

/// A field with a number.
fn number(field: u64, value: i64) -> Vec<u8> {
    let mut bytes = varint(field << 3);
    bytes.extend(varint(value.cast_unsigned()));
    bytes
}

/// A field with bytes.
fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    let mut bytes = varint(field << 3 | 2);
    bytes.extend(varint(value.len() as u64));
    bytes.extend(value);
    bytes
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
    bytes
}

fn packed(field: u64, values: &[i64]) -> Vec<u8> {
    let values = values.iter().flat_map(|value| varint(value.cast_unsigned()));
    bytes(field, &values.collect::<Vec<_>>())
}

/// A sample with packed numbers.
fn sample(stack: &[i64], values: &[i64]) -> Vec<u8> {
    bytes(2, &[packed(1, stack), packed(2, values)].concat())
}

/// A location with the functions of its lines, innermost first.
fn location(id: i64, functions: &[i64]) -> Vec<u8> {
    let lines = functions.iter().map(|&function| bytes(4, &number(1, function)));
    bytes(4, &[number(1, id), lines.collect::<Vec<_>>().concat()].concat())
}

fn function(id: i64, name: i64) -> Vec<u8> {
    bytes(5, &[number(1, id), number(2, name)].concat())
}

fn sample_type(name: i64, unit: i64) -> Vec<u8> {
    bytes(1, &[number(1, name), number(2, unit)].concat())
}

const STRINGS: [&[u8]; 9] =
    [b"", b"samples", b"count", b"main", b"work", b"\xff(int)", b"cpu", b"nanoseconds", b"work"];

/// Strings, functions 1 to 3 with numbers that are not dense, and a location for each.
fn tables() -> Vec<u8> {
    let mut file = Vec::new();
    for (id, name) in [(10, 3), (7, 4), (1 << 40, 5)] {
        file.extend(function(id, name));
        file.extend(location(id, &[id]));
    }
    file.extend(STRINGS.iter().flat_map(|string| bytes(6, string)));
    file
}

fn read(file: &[u8]) -> Result<RecordedCosts, ReadError> {
    let reading = Pprof.read(file.into(), &Hints::default())?;
    Ok(reading.profile.costs)
}

/// Rows as `function<caller<…=values`.
fn text(file: &[u8]) -> String {
    let costs = match read(file) {
        Ok(costs) => costs,
        Err(error) => return error.to_string(),
    };
    let rows = costs.samples.rows().map(|(key, values)| {
        let mut names = Vec::new();
        let mut next = key.context();
        while let Some(id) = next {
            let context = costs.contexts.get(id);
            let name = context.function.map(|id| costs.functions[id.index()].name.clone());
            let name = name.unwrap_or_else(|| b"?".as_slice().into());
            names.push(String::from_utf8_lossy(&name).into_owned());
            next = context.caller;
        }
        format!("{}={values:?}", names.join("<"))
    });
    rows.collect::<Vec<_>>().join(" ")
}

fn check(parts: &[Vec<u8>], expected: &str) {
    let file = [sample_type(1, 2), parts.concat(), tables()].concat();
    assert_eq!(text(&file), expected);
}

#[test]
fn stacks_are_innermost_first_and_are_added_up() {
    check(
        &[sample(&[7, 10], &[3]), sample(&[7, 10], &[4]), sample(&[10], &[1])],
        "work<main=[7] main=[1]",
    );
    check(&[sample(&[7, 7, 10], &[3])], "work<work<main=[3]");
    check(&[sample(&[], &[3])], "?=[3]");
}

#[test]
fn numbers_may_be_packed_or_not_and_unknown_fields_are_skipped() {
    let unpacked = [number(1, 7), number(1, 10), number(2, 5), number(99, 1)].concat();
    let fixed = [&varint(77 << 3 | 1)[..], &[0; 8]].concat();
    check(&[fixed, bytes(2, &unpacked), bytes(500, b"?")], "work<main=[5]");
}

#[test]
fn names_need_not_be_utf8() {
    check(&[sample(&[1 << 40, 10], &[3])], "\u{fffd}(int)<main=[3]");
}

#[test]
fn the_first_line_of_a_location_is_inlined_into_the_next() {
    let inlined = location(5, &[7, 1 << 40, 10]);
    check(
        &[inlined, sample(&[5], &[3]), sample(&[7, 5], &[1])],
        "work<\u{fffd}(int)<main=[3] work<work<\u{fffd}(int)<main=[1]",
    );
}

#[test]
fn code_without_symbols_has_the_name_of_its_object() {
    let mapping = bytes(3, &[number(1, 1), number(5, 6)].concat());
    let nameless = bytes(4, &[number(1, 5), number(2, 1), number(3, 0x1234)].concat());
    check(&[mapping, nameless, sample(&[5, 10], &[3])], "[cpu]<main=[3]");
}

#[test]
fn differences_have_columns_for_negative_values() {
    check(&[sample(&[7, 10], &[3]), sample(&[7, 10], &[-5])], "work<main=[3, 5]");
    let file = [sample_type(1, 2), sample(&[10], &[-5]), tables()].concat();
    let metrics = read(&file).expect("it is one").metrics;
    assert_eq!(*metrics[0].terms, [(1, 0), (-1, 1)]);
}

#[test]
fn dropped_frames_end_a_stack() {
    // `work` and all that it calls, unless it is the outermost.
    let drop = number(7, 4);
    let samples = [sample(&[10, 7, 10], &[3]), sample(&[10, 7], &[1])].concat();
    check(&[drop.clone(), samples], "main=[3] main<work=[1]");
    let inlined = [location(5, &[7, 10]), sample(&[10, 5, 10], &[3])].concat();
    check(&[drop.clone(), inlined], "main<main=[3]");
    let kept = [number(8, 8), sample(&[10, 7, 10], &[3])].concat();
    check(&[drop, kept], "main<work<main=[3]");
}

#[test]
fn the_default_metric_is_the_last_or_the_one_that_the_file_names() {
    let metrics = |default: &[u8]| {
        let types = [sample_type(1, 2), sample_type(6, 7)].concat();
        let samples = sample(&[10], &[2, 20_000_000]);
        let file = [&types, &samples, default, &tables()].map(|part: &[u8]| part.to_vec());
        let metrics = read(&file.concat()).expect("it is one").metrics;
        let ids = metrics.iter().map(|metric| {
            let id = String::from_utf8_lossy(&metric.name.id).into_owned();
            format!("{id} {:?}", metric.rate)
        });
        ids.collect::<Vec<_>>()
    };
    assert_eq!(metrics(b""), ["cpu Some(1000000000)", "samples None"]);
    assert_eq!(metrics(&number(14, 1)), ["samples None", "cpu Some(1000000000)"]);
    // A sample each ten milliseconds.
    let clock = [bytes(11, &[number(1, 6), number(2, 7)].concat()), number(12, 10_000_000)];
    assert_eq!(metrics(&clock.concat()), ["cpu Some(100)", "samples None"]);
    let other = [bytes(11, &[number(1, 6), number(2, 7)].concat()), number(12, 20_000_000)];
    assert_eq!(metrics(&other.concat()), ["cpu Some(1000000000)", "samples None"]);
}

#[test]
fn labels_belong_to_samples() {
    let label = |text| bytes(3, &[number(1, 3), number(2, text)].concat());
    let count = bytes(3, &[number(1, 6), number(3, -7)].concat());
    let labelled = |labels: &[u8]| {
        let sample = [&packed(1, &[10]), &packed(2, &[1]), labels].map(|part: &[u8]| part.to_vec());
        bytes(2, &sample.concat())
    };
    let both = [count.clone(), label(4)].concat();
    let swapped = [label(4), count].concat();
    let samples = [labelled(&label(4)), labelled(&both), labelled(&swapped)].concat();
    let file = [sample_type(1, 2), samples, tables()].concat();
    let costs = read(&file).expect("it is one");
    assert_eq!(text(&file), "main=[1] main=[2]");
    let texts = costs.label_sets[1].iter().map(|label| {
        let text = [&label.key, &b"="[..], &label.value].concat();
        String::from_utf8_lossy(&text).into_owned()
    });
    assert_eq!(texts.collect::<Vec<_>>(), ["cpu=-7", "main=work"]);
}

#[test]
fn contradictions_are_refused() {
    check(
        &[sample(&[3], &[1])],
        "byte 8 (0x8): a sample has the location 3, which the file does not contain",
    );
    check(&[sample(&[7], &[1, 2])], "byte 8 (0x8): a sample has 2 values for 1 sample types");
    check(
        &[sample(&[7], &[i64::MAX]), sample(&[7], &[i64::MAX]), sample(&[7], &[2])],
        "byte 40 (0x28): the values of this stack exceed 64 bits",
    );
    check(&[function(7, 3)], "byte 0 (0x0): two functions have the number 7");
    check(
        &[function(5, 99), location(5, &[5]), sample(&[5], &[1])],
        "byte 18 (0x12): string 99 of 9",
    );
}

/// Inlined functions could make a thousand frames of each byte.
#[test]
fn inlined_frames_are_limited() {
    let file = |functions: Vec<u8>, root: fn(i64) -> i64| {
        let roots = (0..100).map(|id| location(1000 + id, &[root(id)]));
        let stacks = (0..100).map(|id| sample(&[5, 1000 + id], &[1]));
        let roots = roots.collect::<Vec<_>>().concat();
        let stacks = stacks.collect::<Vec<_>>().concat();
        let inlined = location(5, &[7; 1000]);
        [sample_type(1, 2), inlined, functions, roots, stacks, tables()].concat()
    };
    assert!(read(&file(Vec::new(), |_| 10)).is_ok());
    let functions = (0..100).map(|id| function(1000 + id, 3));
    let functions = functions.collect::<Vec<_>>().concat();
    let error = read(&file(functions, |id| 1000 + id)).expect_err("it has too many frames");
    let error = error.to_string();
    assert!(error.contains("inlined functions make more frames"), "{error}");
}

#[test]
fn profiles_are_recognised_by_their_structure() {
    let check = |data: &[u8], expected| {
        let claim = Pprof.sniff(data.into(), &Hints::default());
        assert_eq!(claim, expected, "{data:?}");
    };
    let whole = [sample_type(1, 2), sample(&[7, 10], &[3]), tables()].concat();
    check(&whole, Claim::Certain);
    check(&whole[..whole.len() - 1], Claim::Plausible);
    check(&whole[..9], Claim::Plausible);
    check(&[tables(), sample_type(1, 2)].concat(), Claim::Certain);
    check(b"", Claim::No);
    check(b"\n\x04text", Claim::No);
    check(b"\n\x04\x08\x01\x10\x02", Claim::No);
    check(&tables(), Claim::No);
    // The first string is not empty, and a field has another type.
    check(&[sample_type(1, 2), bytes(6, b"a")].concat(), Claim::No);
    check(&[whole.clone(), bytes(9, b"")].concat(), Claim::No);
    check(&[whole, bytes(20, b"")].concat(), Claim::Certain);
}

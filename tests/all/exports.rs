//! Formats of call stacks: each has the stacks and weights of the folded ones, which `tree`
//! compares with the flat profile, and is what its readers ask for.
//!
//! `tests/readers` compares with the readers themselves.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

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

/// Checks a profile. Returns whether it has call stacks.
fn check(profile: &Path) -> bool {
    let directory = profile.parent().expect("it is in a folder");
    let name = profile.file_name().expect("it is a file").to_string_lossy();
    let program = if directory.join("prog").exists() {
        "prog"
    } else {
        ""
    };
    let export = |format: &str| {
        let line = format!("profan --format {format} {name} {program}");
        run_line(&line, b"", directory).stdout
    };
    let expected = stacks_of_folded(&export("folded"));
    if expected.is_empty() {
        return false;
    }
    let place = profile.display();
    assert_eq!(stacks_of_pprof(&export("pprof")), expected, "{place}");
    true
}

fn stacks_of_folded(bytes: &[u8]) -> Stacks {
    let text = std::str::from_utf8(bytes).expect("names are escaped");
    let mut stacks = Stacks::new();
    for line in text.lines() {
        let (stack, weight) = line.rsplit_once(' ').expect("a stack and a number");
        let weight: i128 = weight.parse().expect("a whole number");
        *stacks.entry(stack.to_owned()).or_default() += weight;
    }
    stacks
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

/// The stacks of the default sample type, with what the format and its readers ask for.
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
        add(&mut stacks, &names, values[metric].cast_signed().into());
    }
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

//! The part of jq that the examples of the README use, so that they run on machines
//! without it: the options `-c`, `-n`, `-r` and `-s`, a filter, and files.

use std::fs;
use std::path::Path;

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::{Val, read, write};

/// The output of jq with these arguments, run in a directory.
pub(crate) fn jq(words: &[String], stdin: &[u8], directory: &Path) -> Vec<u8> {
    let (options, words): (Vec<_>, Vec<_>) = words.iter().partition(|word| word.starts_with('-'));
    let options: String = options.iter().map(|option| &option[1..]).collect();
    let unknown = options.chars().find(|option| !"cnrs".contains(*option));
    assert_eq!(unknown, None, "this is not all of jq");
    let has = |option| options.contains(option);
    let (filter, files) = words.split_first().expect("jq needs a filter");
    let texts = match files {
        [] => vec![stdin.to_vec()],
        files => files
            .iter()
            .map(|file| fs::read(directory.join(file)).unwrap_or_else(|e| panic!("{file}: {e}")))
            .collect(),
    };
    let mut inputs = inputs_of(&texts);
    if has('s') {
        inputs = vec![inputs.into_iter().collect()];
    }
    if has('n') {
        inputs = vec![Val::Null];
    }
    let pretty = write::Pp {
        indent: (!has('c')).then(|| "  ".to_owned()),
        sep_space: !has('c'),
        ..write::Pp::default()
    };
    let mut printed = Vec::new();
    for value in run(filter, inputs) {
        match &value {
            Val::TStr(text) if has('r') => printed.extend_from_slice(text),
            value => write::write(&mut printed, &pretty, 0, value).expect("memory takes all"),
        }
        printed.push(b'\n');
    }
    printed
}

fn inputs_of(texts: &[Vec<u8>]) -> Vec<Val> {
    let values = texts.iter().flat_map(|text| read::parse_many(text));
    values.collect::<Result<_, _>>().expect("inputs are JSON")
}

/// All that a filter makes of its inputs.
fn run(filter: &str, inputs: Vec<Val>) -> Vec<Val> {
    let definitions = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let functions = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let program = File { code: filter, path: () };
    let modules = Loader::new(definitions).load(&arena, program);
    let modules = modules.unwrap_or_else(|e| panic!("`{filter}`: {e:?}"));
    let compiled = Compiler::default().with_funs(functions).compile(modules);
    let compiled = compiled.unwrap_or_else(|e| panic!("`{filter}`: {e:?}"));
    let mut values = Vec::new();
    for input in inputs {
        let context = Ctx::<data::JustLut<Val>>::new(&compiled.lut, Vars::new([]));
        let outputs = compiled.id.run((context, input)).map(unwrap_valr);
        let outputs: Result<Vec<_>, _> = outputs.collect();
        values.extend(outputs.unwrap_or_else(|e| panic!("`{filter}`: {e}")));
    }
    values
}

//! Equivalent ways to write command lines.

use std::ffi::OsString;

use super::super::Command;
use super::parse;
use super::plan::Plan;
use crate::report::SectionId;

fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

fn parsed(words: Vec<OsString>) -> Plan {
    match parse(words) {
        Ok(Command::Report(plan)) => *plan,
        other => panic!("no report but {other:?}"),
    }
}

fn plan(line: &str) -> Plan {
    parsed(words(line))
}

/// Two lines that ask for the same.
fn same(line: &str, as_this: &str) {
    let (one, other) = (plan(line), plan(as_this));
    assert_eq!(format!("{one:?}"), format!("{other:?}"), "for {line}");
}

/// Two lines that do not.
fn differ(line: &str, from_this: &str) {
    let (one, other) = (plan(line), plan(from_this));
    assert_ne!(format!("{one:?}"), format!("{other:?}"), "for {line}");
}

fn refused(line: &str, expected: &str) {
    let message = parse(words(line)).expect_err("the line makes no sense");
    let first = message.lines().next();
    assert_eq!(first, Some(expected), "for {line}");
}

fn files(line: &str, expected: &[&str]) {
    let found = plan(line).files;
    let found: Vec<_> = found.iter().filter_map(|path| path.to_str()).collect();
    assert_eq!(found, expected, "for {line}");
}

#[test]
fn short_options_cluster() {
    same("-bp", "--brief --flat-profile");
    same("-lzp", "--line --display-unused-functions --flat-profile");
    same("-bw40", "-b --width 40");
    same("-bw 40", "-b --width=40");
}

#[test]
fn optional_arguments_are_attached() {
    same("-pmain", "--flat-profile=main");
    same("-bpmain", "--brief --flat-profile=main");
    same("-p=main", "--flat-profile=main");
    same("-pb", "--flat-profile=b");
    same("-qcount_by_sieve/strike_out", "--graph=count_by_sieve/strike_out");
    files("-q count_by_sieve/strike_out", &["count_by_sieve/strike_out"]);
    files("--flat-profile main", &["main"]);
    files("--leaks 3", &["3"]);
}

#[test]
fn a_required_argument_is_any_next_word() {
    same("-k a/b", "--no-arcs=a/b");
    same("-e -[Shape", "-e-[Shape");
    same("-w40 -o -pmain", "-w40 --output=-pmain");
    same("--out -pmain", "--output=-pmain");
    same("-o --", "--output=--");
    files("-o -- x", &["x"]);
}

#[test]
fn a_detached_argument_may_belong_to_the_option_before_it() {
    let loose = |line: &str| {
        let loose = plan(line).loose;
        let attached: Vec<_> = loose.into_iter().map(|one| one.attached).collect();
        attached.join(" ")
    };
    assert_eq!(loose("-p main gmon.out"), "-pmain");
    assert_eq!(loose("-bq main gmon.out"), "-qmain");
    assert_eq!(loose("--flat main gmon.out"), "--flat-profile=main");
    assert_eq!(loose("--leaks 3 -C f"), "--leaks=3 -Cf");
    assert_eq!(loose("-pmain gmon.out -l a.out"), "");
    assert_eq!(loose("-p -l main -k -p/x y"), "");
    assert_eq!(loose("-p -- main"), "");
    assert_eq!(loose("--by-file gmon.out --by-file rows"), "--by-file=rows");
}

#[test]
fn first_words_are_understood() {
    let command = super::completed();
    for word in super::first_words() {
        assert!(command.find_subcommand(word).is_some(), "{word}");
    }
    assert!(plan("./help").files == [OsString::from("./help")]);
}

#[test]
fn a_command_may_follow_options() {
    same("--pager never diff a b", "diff --pager never a b");
    same("--alpha 0.05 --pager=never diff a b", "diff --alpha 0.05 --pager=never a b");
    assert!(plan("-p a diff").files == ["a", "diff"].map(OsString::from));
    assert!(plan("-p ./diff").files == [OsString::from("./diff")]);
    assert!(plan("-o diff a").files == [OsString::from("a")]);
}

#[test]
fn options_and_files_mix_and_two_dashes_end_options() {
    files("a -b c -pmain d", &["a", "c", "d"]);
    files("-p - a", &["-", "a"]);
    files("a -b -- -p --flat c", &["a", "-p", "--flat", "c"]);
    files("-- -pmain", &["-pmain"]);
    files("-- man", &["man"]);
}

#[test]
fn long_options_shorten_while_they_are_clear() {
    same("--flat", "--flat-profile");
    same("--gra=f", "--graph=f");
    same("--table 3", "-t 3");
    refused("--no", "error: unexpected argument '--no' found");
    refused("--deb", "error: unexpected argument '--deb' found");
}

#[test]
fn the_last_of_an_option_and_its_opposite_decides() {
    same("-P -p", "-P -p -P -p");
    differ("-P -p", "-p -P");
    same("-Z -C", "-C -Z -C");
    differ("-Q -q", "-q -Q");
    differ("-A -J", "-J -A");
    same("--no-demangle --demangle=java", "--demangle=java");
    same("--demangle=java --no-demangle", "--no-demangle");
    same("-b --explain", "--explain");
    same("--explain -b", "-b");
    same("-w 40 -w 50", "-w 50");
    same("--color=never --color always", "--color=always");
}

#[test]
fn a_negative_with_a_spec_asks_for_the_rest() {
    assert!(!plan("-P").sections.wants(SectionId::Flat));
    assert!(plan("-Pmain").sections.wants(SectionId::Flat));
    assert!(plan("-P -Pmain").sections.wants(SectionId::Flat));
    assert!(!plan("-Pmain -P").sections.wants(SectionId::Flat));
}

#[test]
fn specs_add_up_in_their_order() {
    let arcs = |line: &str| {
        let filters = plan(line).filters;
        let specs = filters.arcs.exclude.iter().map(|spec| spec.to_string());
        specs.collect::<Vec<_>>()
    };
    assert_eq!(arcs("-k a/b -k c/d"), ["a/b", "c/d"]);
    assert_eq!(arcs("-k a/b -Qx/y -k c/d"), ["a/b", "x/y", "c/d"]);
    let flat = plan("-pmain -pf.c:12").filters.flat;
    assert_eq!(flat.include.len(), 2);
    same("-I a:b -I c", "-I a -I b:c");
}

#[test]
fn unlisted_options_of_gprof_are_accepted() {
    same("-B", "-q");
    same("-Bp", "-q -p");
    same("-d -p", "-p");
    same("-d7 -p", "-p");
    same("--debug=7 -p", "-p");
    differ("-e main", "");
    differ("-E main", "-e main");
    differ("-f main", "-e main");
    differ("-F main", "-f main");
    same("-emain", "-e main");
}

#[cfg(unix)]
#[test]
fn file_names_need_not_be_text() {
    use std::os::unix::ffi::OsStringExt;
    let name = || OsString::from_vec(b"\xff.out".to_vec());
    let attached = OsString::from_vec(b"-bo\xff.out".to_vec());
    let plan = parsed(vec![attached, name(), "-o".into(), name()]);
    assert_eq!(plan.files, [name()]);
    assert_eq!(plan.look.output, Some(name().into()));
    let spec = OsString::from_vec(b"-bp\xff.c:".to_vec());
    assert_eq!(parsed(vec![spec]).filters.flat.include.len(), 1);
}

#[test]
fn the_ending_of_the_output_chooses_the_format() {
    let format = |line: &str| plan(line).look.format;
    assert_eq!(format(""), None);
    assert_eq!(format("-o report.json"), Some("json"));
    assert_eq!(format("-o report.json --format csv"), Some("csv"));
    assert_eq!(format("-o report"), None);
    assert_eq!(format("-s -o sum.json"), None);
    assert!(plan("-o cov.info").sections.wants(SectionId::Coverage));
    assert!(plan("--format lcov").sections.wants(SectionId::Coverage));
    assert!(!plan("--format text").sections.wants(SectionId::Coverage));
}

#[test]
fn words_in_the_place_of_a_report_come_first() {
    let shows = |line: &str| matches!(parse(words(line)), Ok(Command::Show(_)));
    assert!(shows("man"));
    assert!(shows("completions zsh"));
    assert!(shows("explain --help"));
    assert!(shows("completions -h"));
    files("./man", &["./man"]);
    files("-p man", &["man"]);
    files("gmon.out man", &["gmon.out", "man"]);
}

#[test]
fn errors_name_the_option() {
    refused(
        "-w wide",
        "error: invalid value 'wide' for '--width <COLUMNS>': write a whole number of at least 1",
    );
    refused(
        "-t=x",
        "error: invalid value 'x' for '--table-length <N>': write a whole number of at least 0",
    );
    refused(
        "-k main",
        "error: invalid value 'main' for '--no-arcs <FROM/TO>': write FROM/TO, the caller and the \
         callee",
    );
    refused(
        "-n= x",
        "error: invalid value '' for '--time <SPEC>': write FUNCTION, FILE:FUNCTION, FILE:LINE, \
         FILE or LINE",
    );
    refused(
        "--path-map here",
        "error: invalid value 'here' for '--path-map <OLD=NEW>': write the old and the new start of a \
         path as OLD=NEW",
    );
    refused(
        "--keep (from",
        "error: invalid value '(from' for '--keep <EXPR>': missing `)` at the end",
    );
    refused("--brief=1", "error: unexpected value '1' for '--brief' found; no more were expected");
    refused("-o", "error: a value is required for '--output <FILE>' but none was supplied");
    refused(
        "-r -R map",
        "error: the argument '--function-ordering' cannot be used with '--file-ordering <MAP>'",
    );
}

#[test]
fn the_definition_is_sound() {
    super::selections::with_silent(super::documented()).debug_assert();
}

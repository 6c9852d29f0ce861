//! Every name of a function that is printed is one that options accept.

use std::fs;
use std::process::Command;

const NAMES: &[&str] = &[
    "geo::Shape::name() const",
    "operator/(a const&, b)",
    "a::operator/=(int)",
    "operator\"\" _km(unsigned long long)",
    "void f<(E)1>(std::vector<int, std::allocator<int> >&&)",
    "foo()::{lambda(int)#1}::operator()(int) const",
    "main::{lambda(auto:1)#2}::_FUN(int)",
    "(anonymous namespace)::helper(char const*, ...)",
    "std::function<int (int)>::operator()(int) const",
    "void std::__sort<int*>(int*, int*) [clone .isra.0]",
    "operator new[](unsigned long)@plt",
    "a::operator->()",
    "bool operator<< <char>(x&, y)",
    "a::operator<=>(a const&) const",
    "a::operator, (int)",
    "a::operator std::vector<int>() const",
    "decltype (x.y) g<int>(int)",
    "A::h(int (*)(char), double [3])",
    "A::~A()",
    "non-virtual thunk to B::f(int)",
    "guard variable for f()::x",
    "X<&(Y::z)>::g()",
    "X<'c'>::g()",
    "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop",
    "foo::{{closure}}",
    "foo::{impl#0}::bar",
    "github.com/x/y.(*T).Method",
    "example/words.(*Counter).Add",
    "example/words.TestWords.func1",
    "gopkg.in/yaml%2ev3.Unmarshal[go.shape.string]",
    "main.main",
    "-[Foo bar:]",
    "+[NSObject(Category) alloc]",
    "f [clone .isra.0]",
    "f.constprop.0",
    "<unknown>",
    "[unknown]",
    "two words",
    "a/b",
    "sort.c",
    "42",
    "main:7",
];

/// Runs `profan` on stacks of these functions.
fn run(options: &[String]) {
    let scratch = tempfile::tempdir().expect("a temporary folder can be made");
    let stacks = NAMES.iter().map(|name| format!("start;{name} 2\n"));
    let stacks: String = stacks.collect();
    fs::write(scratch.path().join("stacks.folded"), stacks).expect("the folder is writable");
    let mut command = Command::new(env!("CARGO_BIN_EXE_profan"));
    let ran = command
        .args(["-p", "--format", "tsv"])
        .args(options)
        .arg("stacks.folded")
        .current_dir(scratch.path())
        .output();
    let ran = ran.expect("profan runs");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert!(!said.contains("E020") && !said.contains("not found"), "{said}");
    let table = String::from_utf8_lossy(&ran.stdout);
    let rows = table.lines().filter(|line| line.starts_with("entry\t"));
    assert!(rows.count() >= NAMES.len(), "{table}");
}

#[test]
fn every_option_accepts_each_name() {
    for option in ["--flat-profile", "--graph", "--time", "--focus"] {
        let of = |name: &&str| format!("{option}={name}");
        run(&NAMES.iter().map(of).collect::<Vec<_>>());
    }
}

#[test]
fn options_of_calls_accept_each_name_on_both_sides() {
    for option in ["--graph=", "--no-graph=", "--no-arcs="] {
        let of = |name: &&str| {
            let calls = [format!("start/{name}"), format!("{name}/"), format!("{name}/{name}")];
            calls.map(|call| format!("{option}{call}"))
        };
        run(&NAMES.iter().flat_map(of).collect::<Vec<_>>());
    }
}

#[test]
fn keep_expressions_accept_each_name() {
    let quoted = |name: &&str| {
        let escaped = name.chars().flat_map(|character| {
            let is_special = r#"\.[](){}*+?^$|"#.contains(character);
            let quote = (character == '"').then_some('\\');
            let escapes = if is_special { "\\\\" } else { "" };
            escapes.chars().chain(quote).chain([character])
        });
        format!("\"{}\"", escaped.collect::<String>())
    };
    let all: Vec<_> = NAMES.iter().map(quoted).collect();
    run(&["--keep".to_owned(), format!("(or {})", all.join(" "))]);
}

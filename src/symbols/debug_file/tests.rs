use std::collections::HashMap;

use super::*;

/// Looks for the debug file of the fixture among made-up files.
fn search(files: &[(&str, &[u8])], directories: &[&str]) -> DebugFileSearch<Vec<u8>> {
    let image = std::fs::read("fixtures/gprof/debuglink/prog").unwrap();
    let object = object::File::parse(&*image).unwrap();
    let files: HashMap<_, _> =
        files.iter().map(|&(path, bytes)| (PathBuf::from(path), bytes.to_vec())).collect();
    let directories: Vec<_> = directories.iter().map(PathBuf::from).collect();
    find(Path::new("/no/where/prog"), &object, &directories, |path| {
        let bytes = files.get(path).cloned();
        bytes.ok_or_else(|| io::ErrorKind::NotFound.into())
    })
}

fn debug_file() -> Vec<u8> {
    std::fs::read("fixtures/gprof/debuglink/prog.debug").unwrap()
}

fn check(directories: &[&str], path: &str) {
    let found = search(&[(path, &debug_file())], directories).found;
    assert_eq!(found.map(|file| file.path), Some(PathBuf::from(path)));
}

const BUILD_ID_PATH: &str = ".build-id/90/f336e2fb6b127b191747be4b7bbe359a381822.debug";

#[test]
fn a_linked_file_is_found_where_gnu_tools_look() {
    check(&[], "/no/where/prog.debug");
    check(&[], "/no/where/.debug/prog.debug");
    check(&[], "/usr/lib/debug/no/where/prog.debug");
}

#[test]
fn a_build_id_leads_below_the_debug_directories() {
    check(&[], &format!("/usr/lib/debug/{BUILD_ID_PATH}"));
    check(&["/mine"], &format!("/mine/{BUILD_ID_PATH}"));
    let id = "90f336e2fb6b127b191747be4b7bbe359a381822";
    check(&["/cache"], &format!("/cache/{id}/debuginfo"));
    let own = debuginfod_cache().expect("a home directory has one");
    check(&[], &format!("{}/{id}/debuginfo", own.display()));
}

#[test]
fn own_directories_may_hold_the_file_itself() {
    check(&["/mine"], "/mine/no/where/prog.debug");
    check(&["/mine"], "/mine/prog.debug");
}

#[test]
fn the_build_id_goes_before_the_link() {
    let by_id = format!("/usr/lib/debug/{BUILD_ID_PATH}");
    let debug = debug_file();
    let files = [("/no/where/prog.debug", &*debug), (&by_id, &*debug)];
    let found = search(&files, &[]).found.unwrap();
    assert_eq!(found.path, PathBuf::from(by_id));
}

#[test]
fn a_file_of_another_build_is_refused() {
    let mut changed = debug_file();
    changed[0x100] ^= 1;
    let by_id = format!("/usr/lib/debug/{BUILD_ID_PATH}");
    let files = [("/no/where/prog.debug", &*changed), (&by_id, b"text")];
    let search = search(&files, &[]);
    assert!(search.found.is_none());
    let reasons: Vec<_> = search.refused.iter().map(|refusal| &refusal.reason).collect();
    assert!(matches!(reasons[..], [Mismatch::NotAnObject(_), Mismatch::Checksum { .. }]));
}

#[test]
fn a_link_must_be_a_plain_name() {
    assert_eq!(plain_file_name(b"prog.debug"), Some("prog.debug"));
    assert_eq!(plain_file_name(b"/dev/zero"), None);
    assert_eq!(plain_file_name(b"../prog"), None);
    assert_eq!(plain_file_name(b""), None);
}

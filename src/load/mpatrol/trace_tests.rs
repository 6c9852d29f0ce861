//! Single events and headers, byte by byte.

use super::TraceReader;

fn header(version: u8) -> Vec<u8> {
    let mut bytes = b"MTRC\x01\0\0\0\0\0\0\0".to_vec();
    bytes.extend([version, 0x29, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// Events and their places up to the end, or the error.
fn text_of(bytes: &[u8]) -> String {
    let mut reader = match TraceReader::new(Box::new(bytes)) {
        Ok(reader) => reader,
        Err(error) => return error.to_string(),
    };
    let mut text = format!("{} {}", reader.encoding(), reader.version());
    loop {
        match reader.next_event() {
            Ok(None) => return text,
            Err(error) => return format!("{text}; {error}"),
            Ok(Some(event)) => {
                let location = reader.location();
                let name = |name: Option<&[u8]>| {
                    name.map_or("-".to_owned(), |name| String::from_utf8_lossy(name).into())
                };
                let (function, file) = (name(location.function), name(location.file));
                text += &format!("; {event:?} {} {function} {file}", location.thread);
            }
        }
    }
}

fn check_header(words: &[u8], expected: &str) {
    let mut bytes = b"MTRC".to_vec();
    bytes.extend(words);
    bytes.extend(b"MTRC");
    assert_eq!(text_of(&bytes), expected, "for {words:?}");
}

#[test]
fn the_marker_tells_width_and_order_of_words() {
    check_header(&[1, 0, 0, 0, 5, 0x29, 0, 0], "32-bit little-endian 10501");
    check_header(&[0, 0, 0, 1, 0, 0, 0x29, 5], "32-bit big-endian 10501");
    let wide = [1, 0, 0, 0, 0, 0, 0, 0, 5, 0x29, 0, 0, 0, 0, 0, 0];
    check_header(&wide, "64-bit little-endian 10501");
    let wide = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x29, 5];
    check_header(&wide, "64-bit big-endian 10501");
}

#[test]
fn senseless_headers_are_refused() {
    let expected = "byte 12 (0xc): the word after `MTRC` is not 1, so the byte order is unknown";
    check_header(&[2, 0, 0, 0, 5, 0x29, 0, 0], expected);
    let expected = "byte 12 (0xc): unknown layout version 10600; the newest known is 10599";
    check_header(&[1, 0, 0, 0, 0x68, 0x29, 0, 0], expected);
    assert_eq!(text_of(b"MTR"), "byte 3 (0x3): the file ends inside the header");
    assert_eq!(text_of(b"MTRD...."), "byte 4 (0x4): expected `MTRC` at the start of the trace");
}

fn check(events: &[u8], expected: &str) {
    let mut bytes = header(5);
    bytes.extend(events);
    let text = text_of(&bytes);
    let (_, text) = text.split_once(' ').unwrap();
    let (_, text) = text.split_once("10501").unwrap();
    assert_eq!(text, expected, "for {events:?}");
}

#[test]
fn numbers_may_be_padded_but_not_wider_than_64_bits() {
    let freed = |index: &str| format!("; Freed(AllocationIndex({index})) 0 - -");
    check(b"F\x80\x80\x00\0\0\0\0MTRC", &freed("0"));
    check(b"F\xff\x01\0\0\0\0MTRC", &freed("255"));
    let largest = b"F\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0\0\0MTRC";
    check(largest, &freed("18446744073709551615"));
    let wide = "; byte 31 (0x1f): an allocation index has more than 64 bits";
    check(b"F\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\0\0\0\0MTRC", wide);
    check(b"F\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0\0\0\0MTRC", wide);
}

#[test]
fn names_are_defined_once_and_referred_to() {
    let freed = |place: &str| format!("; Freed(AllocationIndex(1)) {place}");
    let twice = format!("{}{}", freed("0 f a.c"), freed("3 f -"));
    check(b"F\x01\0\x81f\0\x82a.c\0\x05F\x01\x03\x01\0\x05MTRC", &twice);
    let renamed = format!("{}{}", freed("0 f -"), freed("0 g -"));
    check(b"F\x01\0\x81f\0\0\0F\x01\0\x81g\0\0\0MTRC", &renamed);
    // Functions and files are numbered separately.
    let apart = format!("{}{}", freed("0 f -"), freed("0 - -"));
    check(b"F\x01\0\x81f\0\0\0F\x01\0\0\x01\0MTRC", &apart);
}

#[test]
fn numbers_that_no_name_can_have_stand_for_none() {
    for number in [0_u8, 33, 127] {
        let mut events = b"F\x01\0".to_vec();
        events.push(number | 0x80);
        events.extend(b"f\0\0\0F\x01\0");
        events.push(number);
        events.extend(b"\0\0MTRC");
        let none = "; Freed(AllocationIndex(1)) 0 - -";
        check(&events, &none.repeat(2));
    }
}

#[test]
fn the_end_is_the_magic_and_what_follows_is_ignored() {
    check(b"MTRC and more", "");
    check(b"MTRX", "; byte 24 (0x18): expected `MTRC` at the end of the trace");
    check(b"MT", "; byte 22 (0x16): the file ends inside the `MTRC` at the end");
    check(b"", "; byte 20 (0x14): the file ends inside the events, before `MTRC`");
    check(b"a", "; byte 21 (0x15): unknown event type 0x61");
    check(b"F\x01\0\x81name", "; byte 28 (0x1c): the file ends inside the name of a function");
}

#[test]
fn endless_names_are_refused() {
    let mut events = b"F\x01\0\x81".to_vec();
    events.resize(70_000, b'n');
    check(&events, "; byte 65536 (0x10000): the name of a function is longer than 65536 bytes");
}

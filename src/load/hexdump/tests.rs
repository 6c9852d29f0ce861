//! Lines of every shape, by hand; whole dumps are in `tests/all/hexdumps.rs`.

use super::*;

/// The bytes of the text, with its groups in the likelier order.
fn shown(text: &str) -> Vec<u8> {
    let dump = Hexdump::find(text.as_bytes()).expect("it shows bytes");
    let assembled = dump.assemble(dump.orders()[0]);
    assert_eq!(assembled.fault, None, "in {text}");
    assembled.bytes
}

fn check(text: &str, expected: &[u8]) {
    assert_eq!(shown(text), expected, "for {text}");
}

fn fault_in(text: &str) -> (u64, HexdumpFault) {
    let dump = Hexdump::find(text.as_bytes()).expect("it shows bytes");
    let assembled = dump.assemble(dump.orders()[0]);
    assembled.fault.expect("something is wrong")
}

#[test]
fn an_odd_number_of_bytes_is_no_more_than_that() {
    // The output of xxd, hexdump, hexdump -C, od -x and od -t x4 for 19 bytes.
    let text = b"Nineteen bytes are.";
    check(
        "00000000: 4e69 6e65 7465 656e 2062 7974 6573 2061  Nineteen bytes a\n\
         00000010: 7265 2e                                  re.\n",
        text,
    );
    check(
        "0000000 694e 656e 6574 6e65 6220 7479 7365 6120\n\
         0000010 6572 002e                              \n0000013\n",
        text,
    );
    check(
        "00000000  4e 69 6e 65 74 65 65 6e  20 62 79 74 65 73 20 61  |Nineteen bytes a|\n\
         00000010  72 65 2e                                          |re.|\n00000013\n",
        text,
    );
    check("000000 656e694e 6e656574 74796220 61207365\n000010 002e6572\n000013\n", text);
}

#[test]
fn the_last_number_may_be_to_the_right_of_its_place() {
    // The output of xxd -e for 19 bytes in groups of 4, 2 and 8, and for 17.
    let text = b"Nineteen bytes are.";
    check(
        "00000000: 656e694e 6e656574 74796220 61207365  Nineteen bytes a\n\
         00000010:   2e6572                             re.\n",
        text,
    );
    check(
        "00000000: 694e 656e 6574 6e65 6220 7479 7365 6120  Nineteen bytes a\n\
         00000010: 6572   2e                                re.\n",
        text,
    );
    check(
        "00000000: 6e656574656e694e 6120736574796220  Nineteen bytes a\n\
         00000010:           2e6572                   re.\n",
        text,
    );
    check(
        "00000000: 33323130 37363534 62613938 66656463  0123456789abcdef\n\
         00000010:       37                             7\n",
        b"0123456789abcdef7",
    );
}

#[test]
fn repeats_have_the_prefix_of_other_lines() {
    let zeros = "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|";
    for prefix in ["[    1.234567] ", "10:01:54.123 ", "Nov 22 10:01:54 board kernel: ", "uart:~> "]
    {
        let lines = [format!("00000000  {zeros}"), "*".into(), "00000040".into()];
        let text = lines.map(|line| format!("{prefix}{line}\r\n")).concat();
        check(&text, &[0; 0x40]);
    }
    // List items, and words followed by a star, do not represent repeated lines.
    for noise in ["a *", "* a", "2 *", "[1.5] * a"] {
        let text = format!("00000000  {zeros}\n{noise}\n00000030  {zeros}\n");
        let gap = HexdumpFault::Gap { start: 16, end: 48 };
        assert_eq!(fault_in(&text), (3, gap), "for {noise}");
    }
}

#[test]
fn lines_left_out_as_repeated_are_there() {
    let zeros = "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|";
    let text = format!("00000000  {zeros}\n*\n00000040\n");
    check(&text, &[0; 0x40]);
    // Like xxd -a, which always prints the last line.
    check(
        "00000000: 4100 0000  A...\n00000004: 0000 0000  ....\n*\n00000010: 0000 0000  ....\n",
        &[&b"A"[..], &[0; 0x13]].concat(),
    );
}

#[test]
fn characters_beside_words_tell_their_order() {
    check("80000000: 6e6f6d67 41424344    gmonDCBA\n", b"gmonDCBA");
    check("80000000: 676d6f6e 44434241    gmonDCBA\n", b"gmonDCBA");
    // Without characters: most machines are little-endian, but bytes without addresses are in
    // memory order.
    check("0x20000000: 6e6f6d67 41424344\n", b"gmonDCBA");
    check("676d6f6e\n44434241\n", b"gmonDCBA");
}

#[test]
fn debuggers_name_symbols_and_mark_addresses_in_their_ways() {
    check("0x404010 <held>:\t0x67\t0x6d\n0x404012 <held+2>:\t0x6f\t0x6e\n", b"gmon");
    check("0x404010 <held>:\t0x6d67\t0x6e6f\n", b"gmon");
    check("20000000 = 67 6D 6F 6E 01  gmon.\n", b"gmon\x01");
    check("unsigned char g[] = {\n  0x67, 0x6d, 0x6f,\n  0x6e\n};\n", b"gmon");
}

#[test]
fn characters_end_the_bytes_however_they_are_set_apart() {
    let bytes = b"be 12 ab 3456 ff\x0041|#";
    let (head, tail) = bytes.split_at(16);
    let digits = |bytes: &[u8]| {
        let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.join(" ")
    };
    let eights = |bytes: &[u8]| bytes.chunks(8).map(digits).collect::<Vec<_>>().join("  ");
    let line = |address: &str, shown: String, characters: &str| {
        format!("{address}{shown:<48}{characters}\r\n")
    };
    // The layouts of NuttX, J-Link, Zephyr and pyOCD.
    let one = line("0000: ", digits(head), "be 12 ab 3456 ff");
    check(&(one + &line("0010: ", digits(tail), ".41|#")), bytes);
    let two = line("20000000 = ", digits(head), " be 12 ab 3456 ff");
    check(&(two + &line("20000010 = ", digits(tail), " .41|#")), bytes);
    let open = line("", eights(head), " |be 12 ab  3456 ff");
    check(&(open + &line("", eights(tail), " |.41|#           ")), bytes);
    let fours = |bytes: &[u8]| bytes.chunks(4).map(digits).collect::<Vec<_>>().join("  ");
    let closed = line("20000000:  ", fours(head), "    |be 12 ab 3456 ff|");
    check(&(closed + &line("20000010:  ", fours(tail), "    |.41|#|")), bytes);
    // A character that was lost in transfer hides the line, not the bytes of others.
    let lost = "0000: 41 42 43 44 ABCD\n0004: 45 46 47 48 EFG\n0008: 49 4a 4b 4c IJKL\n";
    assert_eq!(fault_in(lost), (3, HexdumpFault::Gap { start: 4, end: 8 }));
}

#[test]
fn offsets_that_start_again_count_from_their_block() {
    let blocks = "f at 00000000:\n0000: 41 42 43 44 ABCD\n0004: 45 46 47 48 EFGH\n\
                  f at 00000008:\n0000: 49 4a 4b 4c IJKL\n0004: 4d M\n";
    check(blocks, b"ABCDEFGHIJKLM");
    // Addresses that do not start again are whole.
    check("at 20000000:\n20000000: 41 42 43 44\n20000004: 45 46 47 48\n", b"ABCDEFGH");
    let twice = blocks.replace("f at 00000008:\n", "");
    assert!(matches!(fault_in(&twice), (4, HexdumpFault::Contradiction { address: 0 })));
}

#[test]
fn other_lines_are_passed_over() {
    let lines = [
        "00000000: 41 42 43 44 45 46 47 48  ABCDEFGH",
        "00000008: 49 4a 4b 4c 4d 4e 4f 50  IJKLMNOP",
        "00000010: 51 52                    QR",
    ];
    let noise = [
        "",
        "=> md.b 0 12",
        "00000000 1000",
        "dead beef",
        "1234",
        "be add cafe 10",
        "12:00:00 1234: be careful",
        "*** error ***",
        "[ 0.1] a: b",
        "00000100: 41",
        "\x1b[31m\x1b[0m",
        "\x07\x00",
        ":",
        "S",
        ": 00 00",
        "0x",
        "S1",
        ":10",
        "\u{fffd}",
    ];
    for one in noise {
        let text = lines.map(|line| format!("{one}\n{line}\r\n")).concat() + one;
        check(&text, b"ABCDEFGHIJKLMNOPQR");
        let prefixed = lines.map(|line| format!("[    1.5] uart: \x1b[1m{line}\x1b[0m\r\n"));
        check(&prefixed.concat(), b"ABCDEFGHIJKLMNOPQR");
    }
}

#[test]
fn what_does_not_fit_together_has_its_line() {
    let lines = [
        "noise",
        "00000000: 41 42 43 44  ABCD",
        "00000004: 45 46 47 48  EFGH",
        "0000000c: 4d 4e 4f 50  MNOP",
    ];
    let gap = HexdumpFault::Gap { start: 8, end: 12 };
    assert_eq!(fault_in(&lines.join("\n")), (4, gap));
    let twice = "00000000: 41 42 43 44  ABCD\n00000004: 45 46 47 48  EFGH\n\
                 00000004: 45 46 47 49  EFGI\n";
    let fault = HexdumpFault::Contradiction { address: 7 };
    assert_eq!(fault_in(twice), (3, fault));
    // A repetition is not a contradiction.
    check(&twice.replace("49  EFGI", "48  EFGH"), b"ABCDEFGH");
    let records = ":0400000041424344F2\n:0400040045464748DF\n";
    assert_eq!(fault_in(records), (2, HexdumpFault::Checksum));
    // A record with the upper half of the following addresses counts as well.
    let upper = format!("{records}:020000042000DB\n").replace("DF", "DE");
    assert_eq!(fault_in(&upper), (3, HexdumpFault::Checksum));
    check(&records.replace("DF", "DE"), b"ABCDEFGH");
}

#[test]
fn no_address_makes_it_large() {
    let line = "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|";
    let text = format!("00000000  {line}\n*\n1000000000000000\n");
    assert_eq!(fault_in(&text), (3, HexdumpFault::TooLong));
    let text = format!("00000000  {line}\n1000000000000000  {line}\n");
    let gap = HexdumpFault::Gap { start: 16, end: 1 << 60 };
    assert_eq!(fault_in(&text), (2, gap));
    let text = format!("fffffffffffffff0  {line}\n0000000000000000  {line}\n");
    assert_eq!(shown(&text).len(), 16);
}

#[test]
fn repeats_stand_for_no_more_than_a_bound() {
    let line = "00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|";
    let text = |end: u64| format!("00000000  {line}\n*\n{end:08x}\n");
    // The text has 10 + 68 + 1, 2 and 9 bytes.
    let most = (16 << 20) + 16 * 90;
    assert_eq!(text(most).len(), 90);
    assert_eq!(shown(&text(most)).len() as u64, most);
    assert_eq!(fault_in(&text(most + 16)), (3, HexdumpFault::TooLong));
}

#[test]
fn text_is_no_dump_because_it_has_numbers() {
    let is_clear = |text: &str| Hexdump::find(text.as_bytes()).is_some_and(|dump| dump.is_clear());
    assert!(!is_clear("int main(void) { return 0; }\n"));
    assert!(!is_clear("10 20 30\n40 50 60\n"));
    assert!(!is_clear("deadbeef: bad\n00000000: 41\n"));
    assert!(is_clear(
        "00000000: 4142 4344 4546 4748 494a 4b4c 4d4e 4f50  ABCDEFGHIJKLMNOP\n\
         00000010: 4142 4344 4546 4748 494a 4b4c 4d4e 4f50  ABCDEFGHIJKLMNOP\n"
    ));
}

mod any_text {
    use proptest::prelude::*;

    use super::*;

    /// Words that occur in dumps, in any order.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let word = prop_oneof![
            "[0-9a-f]{1,17}",
            "[0-9a-f]{8}:",
            "0x[0-9a-f]{1,16}",
            "([0-9a-f]{2} ){1,16}",
            ":[0-9A-F]{8,40}",
            "S[0-9][0-9A-F]{6,40}",
            "[*|<>=:, ]{1,3}",
            "(\n|\r\n|\t|\x1b\\[0m)",
            ".{0,8}",
        ];
        let words = prop::collection::vec((word, prop_oneof![" ", "  ", "\n", ""]), 0..60);
        words.prop_map(|words| {
            let words = words.into_iter().map(|(word, end)| word + &end);
            words.collect::<String>().into_bytes()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 32 } else { 256 }))]

        #[test]
        fn gives_an_answer_no_longer_than_it_shows(text in text()) {
            if let Some(dump) = Hexdump::find(&text) {
                for order in dump.orders() {
                    let assembled = dump.assemble(order);
                    let is_squeezed = text.contains(&b'*');
                    prop_assert!(is_squeezed || assembled.bytes.len() <= text.len() / 2);
                }
                let _ = dump.is_clear();
            }
        }

        #[test]
        fn any_bytes_come_back_from_lines_of_any_width(
            bytes in prop::collection::vec(any::<u8>(), 1..300),
            base in 0..u64::MAX / 2,
            width in 1usize..40,
        ) {
            let lines = bytes.chunks(width).enumerate().map(|(index, row)| {
                let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{:08x}: {}\n", base + (index * width) as u64, hex.join(" "))
            });
            prop_assert_eq!(shown(&lines.collect::<String>()), bytes);
        }
    }
}

#[test]
fn blocks_that_count_from_zero_follow_each_other() {
    let text = "0000: 67 6d 6f 6e\n0004: 01 00 00 00\n\
                0000: aa bb cc dd\n0004: ee ff 00 11\n\
                0000: 22 33\n";
    check(text, b"gmon\x01\0\0\0\xaa\xbb\xcc\xdd\xee\xff\0\x11\x22\x33");
    // The dump of another run, and blocks of various lengths.
    let first = "0000: 67 6d 6f 6e\n0004: 01 00 00 00\n";
    for second in [
        "0000: 67 6d 6f 6e\n0004: 02 00 00 00\n",
        "0000: 12 34 56 78\n0000: 22 33 44 55\n",
        "0000: 12 34 56 78\n0004: 12 34 56 78\n0008: 22 33 44 55\n",
    ] {
        let (_, fault) = fault_in(&format!("{first}{second}"));
        assert!(matches!(fault, HexdumpFault::Contradiction { .. }), "{fault} in {second}");
    }
}

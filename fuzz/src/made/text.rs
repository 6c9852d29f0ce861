//! Text in the words of a language: each byte of the fuzzer is a word, or a number, or itself.

/// The words of a language.
pub type Language = &'static [&'static str];

/// A byte is a word, by its remainder. But after 253 two bytes choose a number, after 254 a byte
/// is literal, and after 255 a byte is repeated sixteen times.
pub fn text_of(data: &[u8], language: Language) -> Vec<u8> {
    let mut text = Vec::new();
    let mut bytes = data.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            253 => {
                let (low, high) = (bytes.next().unwrap_or(0), bytes.next().unwrap_or(0));
                text.extend(number_of(low, high).bytes());
            }
            254 => text.extend(bytes.next()),
            255 => text.extend([bytes.next().unwrap_or(b' '); 16]),
            _ => text.extend(language[usize::from(byte) % language.len()].bytes()),
        }
    }
    text
}

/// Small numbers, and those around powers of two.
fn number_of(low: u8, high: u8) -> String {
    let power = 1_u128 << (high % 70);
    match low % 4 {
        0 => low.to_string(),
        1 => (power - 1).to_string(),
        2 => power.to_string(),
        _ => format!("{power:x}"),
    }
}

/// Profiles of callgrind after their header.
pub const CALLGRIND: Language = &[
    "\n", " ", "+", "-", "*", "0x", "0", "1", "2", "17", "fn=", "fl=", "fi=", "fe=", "ob=", "cfn=",
    "cfi=", "cfl=", "cob=", "calls=", "jump=", "jcnd=", "jfn=", "jfi=", "rcalls=", "(1)", "(2)",
    "(3)", "(1) main", "(2) f", "(3) a.c", "totals:", "summary:", "part:", "thread:", "pid:",
    "desc:", "cmd:", "events:", "event:", "positions:", "line", "instr", "Ir", "Dr", "Dw", " : ",
    "version: 1", "creator: x", "fn=(1) main\n", "fn=(2)\n", "cfn=(2) f\n", "calls=1 16\n",
    "16 400\n", "+1 3\n", "-2 4\n", "* 5\n", "0x10 1 2 3\n", "fn=\u{e4}\n", "#", "'2", "/", "=",
    "event: x = Ir + 2 Dr : long\n", "part: 2\n", "\nfn=main\n1 1\n",
];

/// Folded stacks.
pub const FOLDED: Language = &[
    "\n", "\r\n", " ", ";", ";;", "a", "b", "main", "main;a", "a;b;c 12\n", "operator new (int)",
    "0", "1", " 7\n", "18446744073709551615", "#", "# a word\n", "\t", "1.5", "-", "\u{e4}",
];

/// Tables of gprof.
pub const GPROF_TEXT: Language = &[
    "\n", " ", "[1]", "[2]", "(3)", " 50.0 ", " 0.01 ", "0.5", "nan", "1", "2+3", "1/2", "main", "f(int)",
    " <cycle 1>", "<cycle 1 as a whole>", "<spontaneous>\n", "-----\n", "\x0c", "Index by function name\n",
    "[1] 50.0 0.01 0.02 1 main [1]\n", " 0.01 0.02 1/2 f(int) [2]\n", " 3 g <cycle 1> [3]\n",
    "[2] 50.0 0.01 0.02 1+2 f(int) [2]\n", "  50.0 0.01 0.01 3 0.1 0.2 main\n", " 50.0 0.02 0.01 g\n",
    "  %   cumulative   self\n", "index % time    self  children    called     name\n",
    "Each sample counts as 0.01 seconds.\n", "(K)", "cycles", "184467440737095516.15", "18446744073709551615",
];

/// Output of perf script.
pub const PERF_SCRIPT: Language = &[
    "\n", "\n\n", "\t", " ", "  ", "1", "7f", "main", "[unknown]", "+0x1", "(/a)", " (inlined)\n",
    " ([k])\n", "t 1 2.5: 10 cpu-clock: \n", "t 1/2 [000] 2.6: cycles:u: ", "t 7 e: \n",
    "\t1 f+0x1 (/a)\n", "\t2 g(int) (/b (deleted))\n", "  a.c:7\n", "  ??:0\n", "a->b->c",
    " (/tmp/perf-1.map)\n", "18446744073709551615", ":", "#", "# ========\n# captured on", "\r\n",
];

/// Output of hex-dump tools: serial logs, xxd, hexdump, od, U-Boot, GDB, programmers.
pub const HEXDUMP: Language = &[
    "\n", " ", "  ", "\t", ":", "|", "*", "*\n", "0x", "00000000: ", "00000010: ", "00000020: ",
    "00000000  ", "00000010  ", "0000000 ", "0000020 ", "0000040\n", "676d 6f6e ", "0100 0000 ",
    "67 6d 6f 6e ", "01 00 00 00 ", "00 ", "00 00 00 00 ", "ff ", "6d67 6e6f ", "gmon", "....",
    "  gmon............\n", "0x20000000:\t", "0x6e6f6d67\t", "0x00000001\t", "0x00000000\n",
    "20000000: 6e6f6d67 00000001 00000000 00000000    gmon............\n", ":10000000",
    ":00000001FF\n", "676D6F6E01000000000000000000000000", ":020000040000FA\n", "S0", "S1", "S2",
    "S3", "S113", "0000676D6F6E0100000000000000000000", "S9030000FC\n", "<buffer>:\t", "<buffer+16>:",
    "{", "}", ",", "[ 0.000000] ", "\r\n", "000000 063547 067157 ", "$1 = ",
    "{0x67, 0x6d, 0x6f, 0x6e, ", "\"gmon\\001\\000\"", "<repeats 15 times>", "\\0", "\x1b[0m",
];

/// Keep expressions.
pub const KEEP: Language = &[
    "(", ")", " ", "\"", "\\", "(from ", "(to ", "(pred ", "(succ ", "(path ", "(or ", "(and ",
    "(not ", "(thresh ", "(thresh-gc ", "(thresh-stack ", "all", "\"f1\"", "\"f2\"", "\"f.*\"", "0.5",
    "1", "~1", "1e3", "nan", "[", "]", "^", "$", "*", "+", "?", "|", ".", "\\d", "{2}", "-", "a",
    "\n", "\t", "(all)", "(or)", "(and)", "(not all)", "(pred all)", "(path all all)",
];

/// Both files of MLton.
pub const MLTON: Language = &[
    "\n", " ", "\t", "\r\n", "0", "1", "2", "3", "~1", "-1", "0x", "0x1234abcd", "MLton prof", "alloc",
    "count", "time", "current", "stack", "0 0\n", "1 0\n", "1 0 0\n", "3\n", "2\n", "1\n", "0\n",
    "<unknown>", "<gc>", "<main>", "<unknown>\n", "<gc>\n", "<main>\n", "f\ta.sml: 1\n", "g\ta.sml: 2\n",
    "f\t<basis>/x.sml: 1\n", "4294967295", "0,1", "0 1 2\n", "2 0 1\n", " 0", " 1", "a", "\u{e4}", ".",
];

/// Pieces of mangled names.
pub const NAMES: Language = &[
    "_Z", "N", "E", "I", "3foo", "3bar", "1a", "St", "Ss", "Sa", "S_", "S0_", "S1_", "T_", "T0_", "L",
    "K", "V", "R", "O", "P", "PF", "F", "M", "A", "A3_", "v", "i", "j", "c", "b", "d", "z", "D", "Dp",
    "Dt", "DT", "Dn", "Da", "J", "X", "C1", "C2", "D0", "D1", "D2", "D9", "nw", "dl", "pl", "ix", "cl",
    "cv", "sr", "st", "sz", "fp_", "fp0_", "fL0p_", "Li5E", "Lb1E", "LDn0E", "L_Z3foovE", "U", "Ul",
    "UlvE_", "UlvE0_", "Ut_", "GV", "TV", "TI", "TS", "TT", "Th8_", "Tv0_n24_", "Tc", "GR", "GTt", "B5cxx11",
    "12_GLOBAL__N_1", ".isra.0", ".constprop.1", ".part.2", ".cold", ".clone.3", "@GLIBC_2.2", "@@V",
    "_R", "Nv", "Nt", "C", "Cs1_", "Cs_", "s_", "s0_", "NvC", "Mm", "Xs", "Y", "Ri", "Qi", "Rp", "B_", "B0_",
    "B1_", "Kj", "Kj0_", "Ka_", "Kb1_", "Kc61_", "h", "l", "m", "x", "u3foo", "17h0123456789abcdefE",
    "$LT$", "$GT$", "$u20$", "..", "_D", "4test", "Q", "Qb", "QBe", "FZ", "FNaNbNiNfZv", "__T", "TiVi1Z", "Z",
    "S4test", "H", "G3", "__", "___", "__elabb", "TK", "TKB", "_ada_", "__2", "Oadd", "__Oadd", "$1", "B3s",
    "X", "Xnn", "W20ac", "U", "9999999999", "0", "5", "_", "1", "so", "ds", "dt", "pt", "qu", "on", "dnE", "gs",
    "nx", "te", "ti", "tl", "il", "tr", "tw", "aw", "rc", "sc", "cc", "dc", "sZ", "sP", "f_", "fl", "fr", "fL",
    "fR", "li2xx", "DC1aE", "Do", "DO", "Dw", "Dx", "DB8_", "DU8_", "DF16_", "DF16b", "Dv4_", "Dv_", "w3foo",
];

/// Words of option lines of all modes.
pub const OPTIONS: Language = &[
    "\n", "-", "--", "=", ",", " ", "a", "-p", "-q", "-l", "-i", "-b", "-A", "-C", "-x", "-y", "-z", "-m",
    "-t", "-w", "-s", "-k", "-n", "-e", "-E", "-f", "-F", "-N", "-P", "-Q", "-J", "-Z", "-c", "-r", "-R", "-S",
    "-O", "-T", "-D", "-I", "-L", "-B", "-d", "-v", "-h", "-o", "-g", "-H", "--flat-profile", "--graph",
    "--keep", "--focus", "--ignore", "--by-file", "--rank-pattern", "--group", "--format", "json", "text",
    "csv", "--top", "--min-percent", "--sort", "--columns", "self,total,calls", "--rate", "--counter-bits",
    "--base", "--wall", "--path-map", "a=b", "--deny", "W001", "warnings", "--between", "start,peak",
    "--alpha", "--min-change", "--rename", "--fail-on", "slower", "--baseline", "--update", "--bins",
    "--leaks", "--names", "short", "--demangle", "gnu-v3", "--color", "always", "--pager", "never",
    "--width", "0", "1", "18446744073709551616", "4294967295", "-1", "0x10", "1e400", "nan", "(a)", "(",
    "(\\d+)", "[", "\\", "\"", "main", "a.c:main", "a.c:3", "f/g", "*", "4.4bsd", "magic", "auto", "bsd",
    "-raw", "true", "false", "-gray", "-call-graph", "-graph-title", "-mlmon", "-show-line", "-split", "-thresh",
    "-tolerant", "-keep", "(from \"f\")", "-sort", "-addresses", "-call-depth", "help", "explain", "doctor",
    "diff", "gprof", "mprof", "mptrace", "mlprof", "completions", "zsh", "schema", "\u{e4}", "\u{202e}",
];

/// Words of symspecs and of names in sources.
pub const SPECS: Language = &[
    ":", "/", "*", ".", "::", "<", ">", "(", ")", ",", " ", "main", "f", "g", "foo", "bar", "ns", "a.c", "b.c",
    "operator", "operator<", "operator()", "[", "]", "{", "}", "#", "'", "~", "&", "0", "1", "17", "_Z3foov",
    "ns::foo", "<T>", "impl", " as ", "$", "@", "\\", "a.c:", ":17", "f/g", "99999999999", "-", "_", "\u{e4}",
];

/// Files next to profiles: `nm`, `time`, maps of files.
pub const SIDE_FILES: Language = &[
    "\n", " ", "\t", ":", "T ", " t ", " T main\n", "0000000000401000", "0000000000401010 T f\n",
    "0000000000401020 t g\n", "0000000000402000 D d\n", "ffffffffffffffff", "a.o:", "b.o:", "main", "f", "g",
    "\na.o:0000000000000000 T main\n", "\nb.o:0000000000000000 t g\n", "No symbols in ", "real", "user", "sys",
    "real\t0m1.06s\n", "user\t0m0.5s\n", "sys\t0m0.1s\n", "1.06", "m", "s", "h", "elapsed", "0:01.02elapsed",
    "0.75user", "0.10system", "%CPU", "83%", "cpu", "total", "e", "-", ".", "99999999999999999999", "nan",
    "Elapsed (wall clock) time (h:mm:ss or m:ss): ", "User time (seconds): ", "System time (seconds): ", "inf",
];

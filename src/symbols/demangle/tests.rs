//! Expected names were printed by `c++filt -i` of binutils 2.40, or,
//! those with `@` or in Java, by another program that shares its demangler.

use super::{Style, demangle};

fn check(style: Style, cases: &[(&str, &str)]) {
    for (raw, expected) in cases {
        let printed = demangle(raw.as_bytes(), style).unwrap_or_else(|| raw.as_bytes().to_vec());
        assert_eq!(String::from_utf8_lossy(&printed), *expected, "for {raw}");
    }
}

#[test]
fn names_and_functions() {
    let cases = [
        ("_Z3foov", "foo()"),
        ("_ZN12_GLOBAL__N_13runEi", "(anonymous namespace)::run(int)"),
        ("_ZNK3foo3bazEPKcRSt6stringz", "foo::baz(char const*, std::string&, ...) const"),
        ("_ZNO1A1fEv", "A::f() &&"),
        ("_ZNKR1A1fEv", "A::f() const &"),
        ("_ZN1a1bB5cxx11Ev", "a::b[abi:cxx11]()"),
        ("_ZL6statici", "static(int)"),
        ("_ZSt1fv", "std::f()"),
        ("plain_name", "plain_name"),
        ("_Zbad", "_Zbad"),
        ("_ZN", "_ZN"),
        ("_Z3fooiX", "_Z3fooiX"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn operators_and_conversions() {
    let cases = [
        ("_ZN1AptEv", "A::operator->()"),
        ("_ZN1AppEi", "A::operator++(int)"),
        ("_ZN3FooclEv", "Foo::operator()()"),
        ("_ZN3FooixEi", "Foo::operator[](int)"),
        ("_ZnamRKSt9nothrow_t", "operator new[](unsigned long, std::nothrow_t const&)"),
        ("_ZdaPvm", "operator delete[](void*, unsigned long)"),
        ("_ZN3foocvbEv", "foo::operator bool()"),
        ("_ZN3foocvT_IiEEv", "foo::operator int<int>()"),
        ("_Zli2_xv", "operator\"\" _x()"),
        ("_ZlsI1AERS0_S1_i", "A& operator<< <A>(A&, int)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn template_constructors_keep_their_parameters() {
    let cases = [
        (
            "_ZNSt8functionIFivEEC2IZ4mainEUlvE_EET_",
            "std::function<int ()>::function<main::{lambda()#1}>(main::{lambda()#1})",
        ),
        ("_ZN1AC1IiEERKT_", "A::A<int>(int const&)"),
        ("_ZN1AD2Ev", "A::~A()"),
        ("_ZN1ACI21BEi", "A::B(int)"),
        (
            "_ZNSt6vectorI3FooSaIS0_EEC2ERKS1_",
            "std::vector<Foo, std::allocator<Foo> >::vector(std::allocator<Foo> const&)",
        ),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn types_are_written_around_the_declared_name() {
    let cases = [
        ("_Z3fooPFivE", "foo(int (*)())"),
        ("_Z3fooM3barKFivE", "foo(int (bar::*)() const)"),
        ("_Z3fooRA10_i", "foo(int (&) [10])"),
        ("_Z1fRA2_A3_i", "f(int (&) [2][3])"),
        ("_Z1fPFPFvvEiE", "f(void (*(*)(int))())"),
        ("_Z1fPFPivE", "f(int* (*)())"),
        ("_Z1fIiEPFvvET_", "void (*f<int>(int))()"),
        ("_Z1fM1Ai", "f(int A::*)"),
        ("_Z1fPPFvvE", "f(void (**)())"),
        ("_Z1fU13block_pointerFvvE", "f(void ( block_pointer)())"),
        ("_Z1fA3_PFvvE", "f(void (* [3])())"),
        ("_Z1fRA3_PFvvE", "f(void (* (&) [3])())"),
        ("_Z1fPKA10_c", "f(char const (*) [10])"),
        ("_Z1fPVKi", "f(int const volatile*)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn builtin_types() {
    let cases = [
        (
            "_Z1fbaxyno",
            "f(bool, signed char, long long, unsigned long long, __int128, unsigned __int128)",
        ),
        ("_Z1fDnDiDsDu", "f(decltype(nullptr), char32_t, char16_t, char8_t)"),
        ("_Z1fDhDF16_DF16b", "f(half, _Float16, std::bfloat16_t)"),
        ("_Z1fCdGf", "f(double _Complex, float _Imaginary)"),
        ("_Z1fDv4_i", "f(int __vector(4))"),
        ("_Z1fPDoFvvE", "f(void (*)() noexcept)"),
        ("_Z1fPFvvRE", "f(void (*)() &)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn references_and_qualifiers_collapse() {
    let cases = [
        ("_Z1fIRiEvOT_", "void f<int&>(int&)"),
        ("_Z1fIOiEvOT_", "void f<int&&>(int&&)"),
        ("_Z1fIKiEvRKT_", "void f<int const>(int const&)"),
        ("_Z1fIRKiEvRT_", "void f<int const&>(int const&)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn packs_are_spread() {
    let cases = [
        ("_Z1fIJidcEEvDpT_", "void f<int, double, char>(int, double, char)"),
        ("_Z1fIJEEvDpT_", "void f<>()"),
        ("_Z1fIiJEEvT_DpT0_", "void f<int>(int)"),
        ("_Z1fIJidEEvDpOT_", "void f<int, double>(int&&, double&&)"),
        (
            "_Z1fIJidEEvDpRKSt6vectorIT_E",
            "void f<int, double>(std::vector<int> const&, std::vector<double> const&)",
        ),
        ("_Z1fIJicEEDTsZT_EDpS0_", "decltype (2) f<int, char>(decltype (2), decltype (2))"),
        ("_Z1fISt4pairISt5tupleIJiEEJEEEvv", "void f<std::pair<std::tuple<int>> >()"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn an_empty_pack_keeps_the_comma_after_it() {
    let cases = [
        ("_Z1fIJEEiDpT_i", "int f<>(, int)"),
        ("_Z1fIJEEicDpT_i", "int f<>(char, , int)"),
        ("_Z1fIJEiEiT0_", "int f<, int>(int)"),
        ("_Z1fIJEEicDpT_", "int f<>(char)"),
        ("_Z1fIiJEJEEiT_DpT0_DpT1_", "int f<int>(int)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn folds_show_packs_as_a_whole() {
    let cases = [
        (
            "_Z1fIJidEEDTfraa1vIT_EEDpS0_",
            "decltype (((v<int, double>)&&...)) f<int, double>(int, double)",
        ),
        ("_Z1fIJidEEDTsPDpT_EES1_", "decltype (2) f<int, double>(int, double)"),
        ("_Z1fIJEEvT_", "_Z1fIJEEvT_"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn generic_lambdas_are_template_arguments() {
    let cases = [
        (
            "_Z1gIZ4mainEUlOT_E_iENSt1RIS0_E1tES1_",
            "std::R<main::{lambda(auto:1&&)#1}>::t g<main::{lambda(auto:1&&)#1}, int>(main::{lambda(auto:1&&)#1}&&)",
        ),
        ("_Z1fIiEvZ4mainEUlZ1gIcEvT_E1AE_", "void f<int>(main::{lambda(g<char>(auto:1)::A)#1})"),
        (
            "_Z1hIiZ1fIJciEEvDpOT_EUlDpOS2_E_ET_S3_",
            "int h<int, f<char, int>(char&&, int&&)::{lambda((auto:1&&)...)#1}>((int&&)...)",
        ),
        // Valid names that libiberty cannot print.
        (
            "_Z1hIPiZ1fIiiJciEEPT_S2_RKT0_DpOT1_EUlDpOT_E_JiEES9_OSA_",
            "_Z1hIPiZ1fIiiJciEEPT_S2_RKT0_DpOT1_EUlDpOT_E_JiEES9_OSA_",
        ),
        ("_ZN1Acv1BIT_EI1DEEv", "_ZN1Acv1BIT_EI1DEEv"),
        ("_Z1fIUliE_Evv", "_Z1fIUliE_Evv"),
        ("_Z1fUlvE_S_", "_Z1fUlvE_S_"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn unnamed_types_are_substitutions_without_their_scope_too() {
    let cases = [
        ("_ZN1AUt_C1ERKS0_", "A::{unnamed type#1}::A({unnamed type#1} const&)"),
        ("_ZN1AUt_C1ERKS1_", "A::{unnamed type#1}::A(A::{unnamed type#1} const&)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn qualified_names_need_no_parameters() {
    let cases = [
        ("_ZNK1A1fE", "A::f const"),
        ("_ZNO1AE", "A &&"),
        ("_ZNSdE", "_ZNSdE"),
        ("_ZN1AC1B5cxx11IiEEvi", "void A::A[abi:cxx11]<int>(int)"),
        ("_ZNKK1A1fEv", "A::f() const const"),
        ("_ZNVK1A1fEv", "A::f() const volatile"),
        ("_ZTSNR1AE", "typeinfo name for A &"),
        ("_ZN1AcvT_IiEE", "A::operator int<int>"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn operands_of_calls_and_scopes() {
    let cases = [
        (
            "_Z1fIiEDTgsnwcvPvLi0E_T_piLi1EEES0_",
            "decltype (::new ((void*)(0)) int(1)) f<int>(void*)",
        ),
        (
            "_Z1fIiEDTgsdlfp_ES0_",
            "decltype (::delete {parm#1}) f<int>(decltype (::delete {parm#1}))",
        ),
        ("_Z1fIiEDTclL_Z1gIiEvvEEES0_", "decltype ((g<int>)()) f<int>(g)"),
        ("_Z1fIiEDTatT_ES0_", "decltype (alignof (int)) f<int>(decltype (alignof (int)))"),
        ("_Z1fIiEDTtrES0_", "decltype (throw) f<int>(decltype (throw))"),
        ("_Z1fIiEDTnxfp_ES0_", "_Z1fIiEDTnxfp_ES0_"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn literals_follow_their_type() {
    let cases = [
        ("_Z3fooILi5EEvv", "void foo<5>()"),
        ("_Z3fooILin3EEvv", "void foo<-3>()"),
        ("_Z3fooILb1EEvv", "void foo<true>()"),
        ("_Z1fILb2EEvv", "void f<(bool)2>()"),
        ("_Z1fILj30EEvv", "void f<30u>()"),
        ("_Z1fILm0EEvv", "void f<0ul>()"),
        ("_Z1fILln1EEvv", "void f<-1l>()"),
        ("_Z1fILx1EEvv", "void f<1ll>()"),
        ("_Z1fILc65EEvv", "void f<(char)65>()"),
        ("_Z1fILf3f800000EEvv", "void f<(float)[3f800000]>()"),
        ("_Z1fIL1E3EEvv", "void f<(E)3>()"),
        ("_Z1fILPv0EEvv", "void f<(void*)0>()"),
        ("_Z1fILDn0EEvv", "void f<(decltype(nullptr))0>()"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn expressions() {
    let cases = [
        ("_Z1fIiEDTcl1gfp_EET_", "decltype (g({parm#1})) f<int>(int)"),
        ("_Z1fIXplLi1ELi2EEEvv", "void f<(1)+(2)>()"),
        ("_Z1fIXgtLi1ELi2EEEvv", "void f<((1)>(2))>()"),
        ("_Z1fIiEDTscT_fp_ES0_", "decltype (static_cast<int>({parm#1})) f<int>(int)"),
        ("_Z1fIiEDTstT_ES0_", "decltype (sizeof (int)) f<int>(int)"),
        ("_Z1fIiEDTnw_T_EES0_", "decltype (new int) f<int>(int)"),
        ("_Z1fIiEDTnafp__T_piLi1EEES0_", "decltype (new ({parm#1}) int(1)) f<int>(int)"),
        (
            "_Z1fIiEDTcldtfp_4sortIiELi1EEES0_",
            "decltype (({parm#1}.(sort<int>))(1)) f<int>(decltype (({parm#1}.(sort<int>))(1)))",
        ),
        ("_Z1fIiEDTtlT_Li1EEES0_", "decltype (int{1}) f<int>(int)"),
        (
            "_Z1fIiEDTqufp_Li1ELi2EES0_",
            "decltype ({parm#1}?(1) : (2)) f<int>(decltype ({parm#1}?(1) : (2)))",
        ),
        (
            "_Z1fIiEDTclgs1gfp_EES0_",
            "decltype ((::g)({parm#1})) f<int>(decltype ((::g)({parm#1})))",
        ),
        ("_Z1fIiEDTpp_fp_ES0_", "decltype (++{parm#1}) f<int>(decltype (++{parm#1}))"),
        ("_Z1fIiEDTixfp_Li1EES0_", "decltype ({parm#1}[1]) f<int>(decltype ({parm#1}[1]))"),
        ("_Z1fIiEDTcvT__fp_Li1EEES0_", "decltype ((int)({parm#1}, 1)) f<int>(int)"),
        ("_Z1fIJicEEDTclL_Z1gEspfp_EEDpT_", "decltype (g({parm#1}...)) f<int, char>(int, char)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn scopes_in_expressions_are_read_both_ways() {
    let cases = [
        ("_Z1fIiEDTsr1AIT_E1xES0_", "decltype (A<int>::x) f<int>(A)"),
        ("_Z1fIiEDTsr3stdE1xIT_EES0_", "decltype (std::x<int>) f<int>(int)"),
        (
            "_Z1fIiENSt9enable_ifIXsrSt6is_intIT_E5valueEvE4typeES2_",
            "std::enable_if<std::is_int<int>::value, void>::type f<int>(int)",
        ),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn addresses_of_functions() {
    let cases = [
        ("_ZN3fooIXadL_Z3barvEEE3runEv", "foo<&(bar())>::run()"),
        ("_Z1fIXadL_ZN1A1gEvEEEvv", "void f<&A::g>()"),
        ("_Z1fIXadL_ZNK1A1gEvEEEvv", "void f<&(A::g() const)>()"),
        ("_Z1fIL_Z1gvEEvv", "void f<g()>()"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn local_names_lambdas_and_unnamed_types() {
    let cases = [
        ("_ZZ3foovE1x", "foo()::x"),
        ("_ZZ1fIiEvT_E1x", "f<int>(int)::x"),
        ("_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const"),
        (
            "_ZZ4mainENKUlT_E0_clIiEEDaS_",
            "auto main::{lambda(auto:1)#2}::operator()<int>(int) const",
        ),
        ("_ZZ1fvENUt_C1Ev", "f()::{unnamed type#1}::f()"),
        ("_ZZ1fiEd_NKUlvE_clEv", "f(int)::{default arg#1}::{lambda()#1}::operator()() const"),
        ("_ZZ1fvEs", "f()::string literal"),
        ("_ZN1xMUlvE_clEv", "x::{lambda()#1}::operator()()"),
        ("_ZNSt1aDC1b1cEE", "std::a::[b, c]"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn things_the_compiler_makes() {
    let cases = [
        ("_ZTV3foo", "vtable for foo"),
        ("_ZTT3foo", "VTT for foo"),
        ("_ZTI3foo", "typeinfo for foo"),
        ("_ZTS3foo", "typeinfo name for foo"),
        ("_ZTIFN1A1BEvE", "typeinfo for A::B ()"),
        ("_ZThn16_N3foo3barEv", "non-virtual thunk to foo::bar()"),
        ("_ZTv0_n24_N3fooD1Ev", "virtual thunk to foo::~foo()"),
        ("_ZTc0_n1_1fv", "_ZTc0_n1_1fv"),
        ("_ZTch0_h4_1fv", "covariant return thunk to f()"),
        ("_ZTC1A0_1B", "construction vtable for B-in-A"),
        ("_ZGVZ3foovE1x", "guard variable for foo()::x"),
        ("_ZGRL1x_", "reference temporary #0 for x"),
        ("_ZTH1x", "TLS init function for x"),
        ("_ZTW1x", "TLS wrapper function for x"),
        ("_ZGTt1fv", "transaction clone for f()"),
        ("_GLOBAL__I_a", "global constructors keyed to a"),
        ("_GLOBAL__I__Z3foov", "global constructors keyed to foo()"),
        ("_GLOBAL__sub_I_main", "_GLOBAL__sub_I_main"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn std_abbreviations() {
    let cases = [
        ("_Z1fSs", "f(std::string)"),
        (
            "_ZNSsC1Ev",
            "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string()",
        ),
        ("_ZNSsaSERKSs", "std::string::operator=(std::string const&)"),
        ("_ZNSdD0Ev", "std::basic_iostream<char, std::char_traits<char> >::~basic_iostream()"),
        ("_ZNSi3getEv", "std::istream::get()"),
        ("_ZNSaIcEC1Ev", "std::allocator<char>::allocator()"),
        ("_Z1fSoSiSd", "f(std::ostream, std::istream, std::iostream)"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn spaces_between_angle_brackets() {
    let cases = [
        ("_Z1f1AI1BIiEE", "f(A<B<int> >)"),
        ("_Z1f1AIJ1BIiEJEEE", "f(A<B<int>>)"),
        (
            "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
            "std::basic_ostream<char, std::char_traits<char> >& std::operator<< <std::char_traits<char> >(std::basic_ostream<char, std::char_traits<char> >&, char const*)",
        ),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn clones() {
    let cases = [
        ("_Z3foov.part.0", "foo() [clone .part.0]"),
        ("_Z3foov.cold.3", "foo() [clone .cold.3]"),
        ("_Z3foov.cold.0.part.1", "foo() [clone .cold.0] [clone .part.1]"),
        ("_Z3foov._omp_fn.0", "foo() [clone ._omp_fn.0]"),
        ("_Z3foov.0.1", "foo() [clone .0.1]"),
        ("_Z3foov.5old", "foo() [clone .5old]"),
        ("_Z3foov.Foo", "_Z3foov.Foo"),
        ("_ZL1x.0", "_ZL1x.0"),
        ("_ZTV1x.llvm.12", "vtable for x [clone .llvm.12]"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn rust() {
    let cases = [
        ("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad"),
        ("_ZN3log6LOGGER17h495b80f51a89d58fE.0", "log::LOGGER"),
        ("_ZN4core3fmt3padE", "core::fmt::pad"),
        ("_RNvNtCs1234_7mycrate3mod3bar", "mycrate::mod::bar"),
        ("_RNvNtCsi4IsKQVxMg0_3std3env4__var.cold", "std::env::_var"),
        ("_RNvC6mycrate3foo", "_RNvC6mycrate3foo"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn java() {
    let cases = [
        ("_ZN1AptEv", "A.operator->()"),
        ("_Z1fw", "f(char)"),
        ("_Z1fb", "f(boolean)"),
        ("_Z3fooPFivE", "foo(int ()())"),
        ("_Z1fIJidcEEvDpT_", "f<int, double, byte>(int, double, byte)void"),
        ("_ZN3foocvbEv", "foo.operator boolean()"),
        ("_ZNSaIcEC1Ev", "std::allocator<byte>.allocator()"),
        ("_ZTI3foo", "typeinfo for foo"),
        ("_Z1f6JArrayIiE", "f(int[])"),
        ("_Z3foov.cold.3", "foo() [clone .cold.3]"),
    ];
    check(Style::Java, &cases);
}

#[test]
fn ada() {
    let cases = [
        ("ada__text_io__put", "ada.text_io.put"),
        ("_ada_main", "main"),
        ("pack__proc__2", "pack.proc"),
        ("pack__procXb", "pack.proc"),
        ("pack__Oadd", "pack.\"+\""),
        ("pack__taskTK__proc", "pack.task.proc"),
        ("pack__taskTKB", "pack.task"),
        ("pack__p___elabb", "pack.p'Elab_Body"),
        ("pack__tSR", "pack.t'Read"),
        ("pack__p.12", "pack.p"),
        ("pack__tSR__2", "pack.t'Read"),
        ("pack__tSR__p", "pack.t'Read.p"),
        ("pack__tSR.5", "<pack__tSR.5>"),
        ("pack__tSRSW", "<pack__tSRSW>"),
        ("pack__tDF", "pack.t.Finalize"),
        ("pack__tDF__2", "pack.t.Finalize"),
        ("pack__tDFXn", "pack.t.Finalize"),
        ("pack__t___size__2", "pack.t'Size"),
        ("pack__t_E2s", "pack.t"),
        ("pack__t_B12s", "pack.t"),
        ("pack__t_E2b", "<pack__t_E2b>"),
        ("pack__procXbXn", "<pack__procXbXn>"),
        ("pack__p__2Xn", "pack.p"),
        ("pack__p__1_2", "pack.p"),
        ("plain", "plain"),
        ("_leading", "<_leading>"),
        ("foo__Fi", "<foo__Fi>"),
        ("Foo", "<Foo>"),
        ("a_", "<a_>"),
        ("pack__p__2__3", "<pack__p__2__3>"),
    ];
    check(Style::Gnat, &cases);
}

#[test]
fn d() {
    let cases = [
        ("_Dmain", "D main"),
        ("_D4test3fooFiZi", "test.foo(int)"),
        ("_D3std5stdio7writelnFZv", "std.stdio.writeln()"),
        ("_D4test1xi", "test.x"),
        ("_D4test1C6__ctorMFiZC4test1C", "test.C.this(int)"),
        ("_D4test3fooFAyaZv", "test.foo(immutable(char)[])"),
        ("_D4test3fooFPiKlJfLbZv", "test.foo(int*, ref long, out float, lazy bool)"),
        ("_D4test3fooFHiaZv", "test.foo(char[int])"),
        ("_D4test3fooFiYv", "test.foo(int, ...)"),
        ("_D4test3fooMxFZv", "test.foo() const"),
        ("_D4test1C6__vtblZ", "vtable for test.C"),
        ("_D4test3fooFxPaG3iZv", "test.foo(const(char*), int[3])"),
    ];
    check(Style::Dlang, &cases);
}

#[test]
fn d_parameters_have_storage_and_attributes() {
    let cases = [
        ("_D1a1bFNkiZv", "a.b(return int)"),
        ("_D1a1bFMNkPiZv", "a.b(scope return int*)"),
        ("_D1a1bFNkMPiZv", "_D1a1bFNkMPiZv"),
        ("_D1a1bFIKiZv", "a.b(in ref int)"),
        ("_D1a1bFMJKiZv", "_D1a1bFMJKiZv"),
        ("_D1a1bFNaNbNcNdNeNfNiNjNlNmiZv", "a.b(int)"),
        ("_D1a1bMOxFZv", "a.b() shared const"),
        ("_D1a1bMNgFZv", "a.b() inout"),
        ("_D1a1bFZ1cFZi", "a.b().c()"),
        ("_D1a10__postblitMFZv", "a.this(this)"),
        ("_D1a10__postblitMFNaZv", "a.__postblit()"),
    ];
    check(Style::Dlang, &cases);
}

#[test]
fn d_types_of_functions_follow_their_parameters() {
    let cases = [
        ("_D1a1bFPFNaiZlZv", "a.b(long(int) pure function)"),
        ("_D1a1bFDFiZvZv", "a.b(void(int) delegate)"),
        ("_D1a1bFDxFiZvZv", "a.b(void(int) delegate const)"),
        ("_D1a1bFPUiZvZv", "a.b(extern(C) void(int) function)"),
        ("_D1a1bFB2ilZv", "a.b(Tuple!(int, long))"),
        ("_D1a1bFNhG4iZv", "a.b(__vector(int[4]))"),
        ("_D1a1bFNniZv", "a.b(typeof(*null), int)"),
        ("_D1a1bFzizkZv", "a.b(cent, ucent)"),
    ];
    check(Style::Dlang, &cases);
}

#[test]
fn d_back_references_repeat_names_and_types() {
    let cases = [
        ("_D1a1bFAiQcPQdZv", "a.b(int[], int[], int[]*)"),
        ("_D1a1bFPFZvPQeZv", "a.b(void() function, void() function*)"),
        ("_D1a1bFDFZvDQeZv", "a.b(void() delegate, void() delegate)"),
        ("_D1a1bFAiQzZv", "_D1a1bFAiQzZv"),
        ("_D1a1bFAiDQdZv", "_D1a1bFAiDQdZv"),
        ("_D2rt3aaA4Impl__T1bTiZQfFKSQxxZv", "_D2rt3aaA4Impl__T1bTiZQfFKSQxxZv"),
        ("_D4test__T1STiZQf3getMxFZi", "test.S!(int).S.get() const"),
        ("_D1a1bFQaZv", "_D1a1bFQaZv"),
    ];
    check(Style::Dlang, &cases);
}

#[test]
fn d_templates_have_types_symbols_and_values() {
    let cases = [
        ("_D1a__T1bTiS1a1cZ1ci", "a.b!(int, a.c).c"),
        (
            "_D1a__T1bVi5Vb1Va97Vu97Vw97Va10Vm3Vl3Vk3ViN3Z1ci",
            "a.b!(5, true, 'a', '\\u0061', '\\U00000061', '\\x0a', 3uL, 3L, 3u, -3).c",
        ),
        ("_D1a__T1bVAyaa3_616209Z1ci", "a.b!(\"ab\\t\").c"),
        ("_D1a__T1bVAyuw3_616209Z1ci", "a.b!(\"ab\\t\"w).c"),
        ("_D1a__T1bVAiA2i1i2Z1ci", "a.b!([1, 2]).c"),
        ("_D1a__T1bVHiiA1i1i2Z1ci", "a.b!([1:2]).c"),
        ("_D1a__T1bVS1a1cS2i1i2Z1ci", "a.b!(a.c(1, 2)).c"),
        ("_D1a__T1bVPinZ1ci", "a.b!(null).c"),
        ("_D1a__T1bVee0A8PN1Z1ci", "a.b!(0x0.A8p-1).c"),
        ("_D1a__T1bVqc0A8P1c0AP2Z1ci", "a.b!(0x0.A8p1+0x0.Ap2i).c"),
        ("_D1a__T1bVeeNINFZ1ci", "a.b!(-Inf).c"),
        ("_D1a__T1bX3abcZ1ci", "a.b!(abc).c"),
        ("_D1a8__T1bTiZ1ci", "a.b!(int).c"),
        ("_D1a9__T1bTiZZ1ci", "_D1a9__T1bTiZZ1ci"),
        ("_D1a__T1bS_D1a1cFZvZ1ci", "a.b!(a.c()).c"),
        ("_D1a__T1bTS1a1cMxFZ1dZ1ei", "a.b!(a.c().d).e"),
        ("_D1a11__moduleRefZ", "a.__moduleRef"),
        ("_D1a1b0FZv", "a.b"),
    ];
    check(Style::Dlang, &cases);
}

#[test]
fn dots_dollars_and_versions_stay() {
    let cases = [
        (".._Z3foov", "..foo()"),
        ("$_Z3foov@@VERS_1", "$foo()@@VERS_1"),
        ("_Z3foov@plt", "foo()@plt"),
    ];
    check(Style::Auto, &cases);
}

#[test]
fn styles_are_named_as_on_the_command_line() {
    assert_eq!("gnu-v3".parse(), Ok(Style::GnuV3));
    assert_eq!("none".parse(), Ok(Style::None));
    assert!("bogus".parse::<Style>().is_err());
}

#[test]
fn bytes_outside_utf8_stay() {
    let printed = demangle(b"_Z3f\xff\xfev", Style::Auto);
    assert_eq!(printed.as_deref(), Some(&b"f\xff\xfe()"[..]));
}

/// Names that nest without end, or repeat a part exponentially often.
fn hostile_names() -> Vec<String> {
    let mut doubling = "_Z1f1AI1BiE".to_owned();
    for index in b'1'..=b'9' {
        let index = char::from(index);
        doubling += &format!("S_IS{index}_S{index}_S{index}_S{index}_E");
    }
    let mut names = vec![
        doubling,
        "_Z1fIJiiiiiiiiiiEEv".to_owned() + &"Dp".repeat(100) + "T_",
        "_Z1fIiEDTsr1AIX".to_owned() + &"sr1AIX".repeat(90) + "fp_" + &"EE1x".repeat(90),
        "_Z1a".to_owned() + &"B1b".repeat(50_000) + "v",
        "_ZN".to_owned() + &"1a".repeat(50_000) + "Ev",
        "_RINvC1a1b".to_owned() + &"R".repeat(50_000) + "uE",
    ];
    for part in ["P", "K", "Z", "N", "F", "A3_", "1fI", "T", "M", "XsrN", "UlUl", "DT", "PF"] {
        names.push("_Z1f".to_owned() + &part.repeat(50_000));
        names.push("_Z".to_owned() + &part.repeat(50_000));
        names.push("_Z1f".to_owned() + &part.repeat(180) + "ivv");
        names.push("_D1f".to_owned() + &part.repeat(5_000));
    }
    names
}

#[test]
fn hostile_names_end_soon() {
    for name in hostile_names() {
        for style in [Style::Auto, Style::Java, Style::Gnat, Style::Dlang] {
            let printed = demangle(name.as_bytes(), style);
            assert!(printed.is_none_or(|printed| printed.len() < 1 << 20));
        }
    }
}

#[test]
fn any_part_of_a_name_is_fine() {
    let name = "_ZNSt8functionIFivEEC2IZ4mainEUlvE_vEEOT_DTclsr3stdE1gspfp_Li1EE.cold";
    for end in 0..=name.len() {
        for start in 0..end {
            let _ = demangle(format!("_Z{}", &name[start..end]).as_bytes(), Style::Auto);
        }
    }
}

#[test]
fn real_names_are_written_as_in_the_source() {
    let real = include_str!("../../../fixtures/names/real.tsv");
    let rows = real.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    for row in rows {
        let [_, raw, full, ..] = row[..] else { panic!("{row:?}") };
        let found = demangle(raw.as_bytes(), Style::Auto).unwrap_or_else(|| raw.into());
        assert_eq!(String::from_utf8_lossy(&found), full, "for {raw}");
    }
}

"""The sources that the matrix builds, with places in which they are changed.

A change is named like the kind of rebuild; what is not changed stays as it is.
"""

C_PARTS = {
    "leaf": """
NOINLINE unsigned leaf(unsigned n)
{{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i * i ^ n;
    sink += sum;
    return sum;
}}
""",
    "twice": """
NOINLINE unsigned twice(unsigned n)
{{
    unsigned first = leaf(n){grown};
    return first + leaf(n / 2);
}}
""",
    "sorted": """
NOINLINE static int compare(const void *a, const void *b)
{{
    return *(const int *)a - *(const int *)b;
}}

NOINLINE unsigned sorted(unsigned seed)
{{
    int numbers[100];
    for (int i = 0; i < 100; i++)
        numbers[i] = (int)((unsigned)i * seed % 211);
    qsort(numbers, 100, sizeof *numbers, compare);
    {kept}
    return (unsigned)numbers[3];
}}
""",
    "fibonacci": """
NOINLINE unsigned fibonacci(unsigned n)
{{
    return n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2);
}}
""",
    "even": """
NOINLINE unsigned odd(unsigned n);
NOINLINE unsigned even(unsigned n) {{ sink++; return n == 0 ? 1 : odd(n - 1) + 1; }}
NOINLINE unsigned odd(unsigned n) {{ sink--; return n == 0 ? 0 : even(n - 1) + 2; }}
""",
}

C_HEAD = """
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
static volatile unsigned sink;
unsigned leaf(unsigned), twice(unsigned), sorted(unsigned), fibonacci(unsigned), even(unsigned);
{first}
"""

C_TAIL = """
unsigned (*chosen)(unsigned) = leaf;

int main(void)
{{
    unsigned sum = 0;
    for (int i = 0; i < {rounds}; i++) {{
        sum += twice(4000) + sorted(7919u + (unsigned)i) + fibonacci(11);
        sum += even(20) + chosen(100);
    }}
    printf("%u %u\\n", sum, sink + {constant});
    return 0;
}}
{last}
"""

ADDED = """
NOINLINE unsigned added(unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        sink ^= n % i * 3;
    return sink;
}
"""

CXX = """
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>
#define NOINLINE __attribute__((noinline))
static volatile unsigned sink;
{first}
struct Shape {{
    virtual ~Shape() = default;
    virtual double area() const = 0;
}};
struct Square : Shape {{
    double side;
    explicit Square(double s) : side(s) {{}}
    NOINLINE double area() const override {{ return side * side; }}
}};
struct Circle : Shape {{
    double radius;
    explicit Circle(double r) : radius(r) {{}}
    NOINLINE double area() const override {{ return 3 * radius * radius{grown_real}; }}
}};
template <class T> NOINLINE T total(const std::vector<T> &all)
{{
    {kept}
    return std::accumulate(all.begin(), all.end(), T());
}}
{a}
{b}
int main()
{{
    double sum = 0;
    for (int i = 0; i < {rounds}; i++) {{
        Square square(i);
        Circle circle(i);
        const Shape *shapes[] = {{ &square, &circle }};
        for (auto *shape : shapes)
            sum += shape->area();
        sum += words(i % 50) + numbers(500);
    }}
    std::printf("%f %u\\n", sum, sink + {constant});
}}
{last}
"""

CXX_A = """
NOINLINE int words(int n)
{
    std::vector<std::string> all;
    for (int i = 0; i < n; i++)
        all.push_back(std::to_string(i * 7919 % 101));
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : (int)all.front().size();
}
"""

CXX_B = """
NOINLINE int numbers(int n)
{
    std::vector<int> all(n);
    for (int i = 0; i < n; i++)
        all[i] = i * 7919 % 1009;
    std::sort(all.begin(), all.end(), [](int a, int b) { return a > b; });
    return total(all);
}
"""

FORTRAN = """
module work
  implicit none
  integer, volatile :: sink = 0
contains
{first}
{a}
{b}
{last}
end module work

program matrix
  use work
  implicit none
  integer :: i
  real(8) :: all
  all = 0
  do i = 1, {rounds}
    all = all + smooth(300) + countdown(40)
  end do
  print *, all, sink + {constant}
end program matrix
"""

FORTRAN_A = """
  recursive function countdown(n) result(left)
    integer, intent(in) :: n
    integer :: left
    sink = sink + 1
    left = 0
    if (n > 0) left = countdown(n - 1) + 1{grown}
  end function countdown
"""

FORTRAN_B = """
  function smooth(n) result(total)
    integer, intent(in) :: n
    real(8) :: total, row(500)
    integer :: i, pass
    row = [(mod(i * 7919, 101), i = 1, 500)]
    {kept}
    do pass = 1, 5
      do i = 2, n - 1
        row(i) = (row(i - 1) + row(i) + row(i + 1)) / 3
      end do
    end do
    total = sum(row(1:n))
  end function smooth
"""

FORTRAN_ADDED = """
  function added(n) result(found)
    integer, intent(in) :: n
    integer :: found, i
    found = 0
    do i = 1, n
      found = ieor(found * 3, mod(n, i) + sink)
    end do
  end function added
"""

OTHER_C = """
#include <stdio.h>
#include <string.h>
static volatile int sink;
__attribute__((noinline)) int sieve(int n)
{
    static char is_not[20000];
    memset(is_not, 0, sizeof is_not);
    int found = 0;
    for (int i = 2; i < n; i++) {
        if (is_not[i])
            continue;
        found++;
        for (int j = i; j < n; j += i)
            is_not[j] = 1;
    }
    return found;
}
__attribute__((noinline)) int digits(int n) { int d = 0; while (n) { d += n % 10; n /= 10; sink++; } return d; }
int main(void)
{
    for (int i = 0; i < 20; i++)
        sink += sieve(20000 - i) + digits(i * 99991);
    printf("%d\\n", sink);
    return 0;
}
"""


def source(language, rounds, kind=None):
    """The source of a program after a change of some kind."""
    if kind == "another":
        return OTHER_C if language == "c" else None
    if language == "fortran":
        added = FORTRAN_ADDED
        grown = "\n    if (n == -3) sink = ieor(sink * 5, n) + n / 3"
        kept = "if (n > 499) row(n) = 3 * row(n - 3) + sink"
        a = FORTRAN_A.format(grown=grown if kind == "grown" else "")
        b = FORTRAN_B.format(kept="" if kind == "shrunk" else kept)
        template, parts = FORTRAN, {"a": a, "b": b}
        if kind == "reordered":
            parts = {"a": b, "b": a}
    elif language == "c++":
        added = ADDED
        parts = {"a": CXX_A, "b": CXX_B}
        if kind == "reordered":
            parts = {"a": CXX_B, "b": CXX_A}
        parts["grown_real"] = " + (radius < 0 ? radius / 7 - sink * 3.5 : 0)" if kind == "grown" else ""
        parts["kept"] = "" if kind == "shrunk" else "if (all.size() > 100000) sink = sink * 7 + (unsigned)all.size() / 3;"
        template = CXX
    else:
        added = ADDED
        grown = " + (n == 77 ? sink / 7 ^ n * 3 : 0)" if kind == "grown" else ""
        kept = "" if kind == "shrunk" else "if (numbers[5] < 0) sink = sink * 7 + seed / 3;"
        names = list(C_PARTS)
        if kind == "reordered":
            names.reverse()
        body = "".join(C_PARTS[name].format(grown=grown, kept=kept) for name in names)
        template, parts = C_HEAD + body.replace("{", "{{").replace("}", "}}") + C_TAIL, {}
    return template.format(
        first=added if kind == "first" else "",
        last=added if kind == "last" else "",
        constant=98765 if kind == "constant" else 12345,
        rounds=rounds,
        **parts,
    )

"""The programs of the trials: ordinary ones, built and run as their users do."""

SPIN = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define NOINLINE __attribute__((noinline, noclone))
volatile unsigned sink;
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }
"""

INLINED = SPIN + r"""
static unsigned distance(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (i ^ n) * (i | 3);
    return sum;
}
static unsigned mix(unsigned n)
{
    unsigned sum = 1;
    for (unsigned i = 0; i < n / 4; i++)
        sum = sum * 31 + i;
    return sum;
}
int main(void)
{
    while (seconds() < 2.5)
        sink += distance(20000 + sink % 3) + mix(20000);
    return 0;
}
"""

CALLS = SPIN + r"""
NOINLINE unsigned leaf(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (i ^ n) * (i | 3);
    return sum;
}
NOINLINE unsigned twice(unsigned n) { return leaf(n) + leaf(n / 2); }
NOINLINE unsigned once(unsigned n) { return leaf(n / 3) + 1; }
int main(void)
{
    while (seconds() < 2.5)
        sink += twice(20000) + once(20000);
    return 0;
}
"""

SHORT = CALLS.replace("2.5", "0.4")

TAIL = SPIN + r"""
NOINLINE unsigned leaf(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (i ^ n) * (i | 3);
    return sum;
}
NOINLINE unsigned wrap_a(unsigned n) { return leaf(n + 1); }
NOINLINE unsigned wrap_b(unsigned n) { return leaf(n / 2); }
int main(void)
{
    while (seconds() < 2.5)
        sink += wrap_a(20000) + wrap_b(20000);
    return 0;
}
"""

USES_LIBRARY = SPIN + r"""
unsigned burn(unsigned);
NOINLINE unsigned prepare(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i ^ n;
    return sum;
}
int main(void)
{
    while (seconds() < 1.5)
        sink += prepare(2000) + burn(100000);
    return 0;
}
"""

LIBRARY = r"""
unsigned burn(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum = sum * 31 + (i ^ n);
    return sum;
}
"""

STUBS = SPIN + r"""
unsigned tiny(unsigned);
int main(void)
{
    while (seconds() < 2.5)
        for (int i = 0; i < 2000000; i++)
            sink += tiny(i);
    return 0;
}
"""

TINY = "unsigned tiny(unsigned n) { return n + 1; }\n"

STRIPPED_PART = r"""
#define NOINLINE __attribute__((noinline, noclone))
static NOINLINE unsigned hidden(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (i ^ n) * (i | 3);
    return sum;
}
unsigned shown(unsigned n) { return hidden(n) + 1; }
"""

USES_STRIPPED = SPIN + r"""
unsigned shown(unsigned);
int main(void)
{
    while (seconds() < 2.5)
        sink += shown(20000);
    return 0;
}
"""

FORK = SPIN + r"""
#include <sys/wait.h>
#include <unistd.h>
NOINLINE unsigned leaf(unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (i ^ n) * (i | 3);
    return sum;
}
int main(void)
{
    leaf(1);
    if (fork() == 0) {
        while (seconds() < 1)
            sink += leaf(20000);
        _exit(0);
    }
    wait(NULL);
    return 0;
}
"""

DAEMON = SPIN + r"""
#include <unistd.h>
int main(void)
{
    for (;;)
        sink += (unsigned)seconds();
}
"""

CXX = r"""
#include <algorithm>
#include <ctime>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
volatile unsigned sink;
static double seconds() { return double(clock()) / CLOCKS_PER_SEC; }
struct Shape {
    virtual ~Shape() {}
    virtual unsigned area(unsigned n) const = 0;
};
struct Square : Shape {
    unsigned area(unsigned n) const override
    {
        unsigned sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += i * i ^ n;
        return sum;
    }
};
template <typename T> unsigned counted(const std::vector<T> &words)
{
    std::map<T, unsigned> counts;
    for (const T &word : words)
        counts[word]++;
    return unsigned(counts.size());
}
int main()
{
    std::vector<std::string> words;
    std::vector<int> numbers;
    for (int i = 0; i < 3000; i++) {
        words.push_back("word" + std::to_string(i * 7 % 1009));
        numbers.push_back(i * 7 % 1009);
    }
    Square square;
    const Shape &shape = square;
    while (seconds() < 2.5) {
        sink += counted(words) + counted(numbers) + shape.area(200000);
        std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 97 < b % 97; });
        try {
            throw std::runtime_error("again");
        } catch (const std::exception &error) {
            sink += unsigned(error.what()[0]);
        }
    }
}
"""

FORTRAN = """
program flow
  implicit none
  real(8) :: total, now
  integer :: i
  total = 0
  do
    do i = 1, 20
      call relax(total, 20000)
    end do
    call cpu_time(now)
    if (now > 2.5d0) exit
  end do
  if (total < 0) print *, total
contains
  subroutine relax(sum, n)
    real(8), intent(inout) :: sum
    integer, intent(in) :: n
    integer :: k
    do k = 1, n
      sum = sum + 1d0 / (k + sum * 1d-9)
    end do
  end subroutine
end program
"""

#include <algorithm>
#include <compare>
#include <concepts>
#include <coroutine>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <memory_resource>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <Number T> T twice(T n) { return n + n; }
auto thrice(Number auto n) requires (sizeof(n) > 1) { return n * 3; }
template <class T> requires requires(T t) { t.size(); } auto length(const T& t) -> decltype(t.size()) { return t.size(); }
template <class T> auto added(T a, T b) noexcept(noexcept(a + b)) -> decltype(a + b) { return a + b; }
template <class T> auto element(T& t, int n) -> decltype(t[n]) { return t[n]; }
template <class T> auto chosen(T t) -> decltype(t ? -t : ~t) { return t ? -t : ~t; }
template <class T> auto made(T t) -> decltype(::new T(t)) { return ::new T(t); }
template <class T> auto destroyed(T* t) -> decltype(delete t) { delete t; }
template <class T> auto members(T* t) -> decltype(t->first + (*t).second) { return t->first + (*t).second; }
template <class T> auto cast(T t) -> decltype(static_cast<long>(t) + (int)t + int{t}) { return t; }
template <class T, int N> int counted(T (&)[N], std::integral_constant<int, N * 2 + sizeof(T)>* = nullptr) { return N; }
template <class... T> auto summed(T... t) -> decltype((t + ...)) { return (t + ...); }
template <class... T> auto pairs(T... t) -> std::tuple<std::pair<T, decltype(t * 2)>...> { return {std::pair<T, decltype(t * 2)>{t, t * 2}...}; }
template <std::size_t... I> int indexed(std::index_sequence<I...>) { return (0 + ... + (int)I); }
struct Point { int x, y; constexpr auto operator<=>(const Point&) const = default; };
template <Point P> int at() { return P.x + P.y; }
template <std::size_t N> struct Text { char text[N]; constexpr Text(const char (&s)[N]) { std::copy_n(s, N, text); } };
template <Text T> int named() { return sizeof(T.text); }
template <class T> struct Generator {
    struct promise_type {
        T value;
        Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T next) { value = next; return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    explicit Generator(std::coroutine_handle<promise_type> h) : handle(h) {}
    ~Generator() { handle.destroy(); }
    bool next() { handle.resume(); return !handle.done(); }
    T value() const { return handle.promise().value; }
};
template <class T> Generator<T> count(T to) { for (T n = 0; n < to; ++n) co_yield n; }
static Generator<std::pair<int, char>> letters(std::string_view text) { int n = 0; for (char c : text) co_yield {n++, c}; }
inline namespace v1 { namespace { struct Hidden { int operator()(int a) const { return a; } }; } }
template <class F> auto composed(F f) { return [f]<class T>(T t) { return f(t) + 1; }; }
int main(int argc, char**) {
    std::vector<int> numbers(20);
    std::iota(numbers.begin(), numbers.end(), argc);
    int sum = 0;
    for (int n : numbers | std::views::filter([](int n) { return n % 2; }) | std::views::transform([&](auto n) { return n * argc; }) | std::views::take(5)) sum += n;
    for (auto part : std::string_view("a b c") | std::views::split(' ')) sum += (int)std::ranges::distance(part);
    for (auto n : std::views::iota(0, 5) | std::views::reverse | std::views::drop(1)) sum += n;
    std::ranges::sort(numbers, std::greater{}, [](const auto& n) { return -n; });
    sum += *std::ranges::max_element(numbers, {}, [](int n) { return n % 7; });
    sum += std::ranges::count_if(numbers, [](auto n) { return n > 3; });
    for (auto words = count(argc + 2); words.next();) sum += words.value();
    for (auto each = letters("abc"); each.next();) sum += each.value().second;
    std::pmr::monotonic_buffer_resource pool;
    std::pmr::vector<std::pmr::string> strings(&pool);
    strings.emplace_back("a string that is too long to be stored within");
    strings.push_back("b");
    std::pmr::unordered_map<int, std::pmr::string> map(&pool);
    map.emplace(1, "one");
    map[2] = "two";
    std::set<Point> points{{1, 2}, {3, 4}};
    sum += points.contains({1, 2}) + (Point{1, 2} < Point{2, 1});
    sum += twice(argc) + thrice(2.5) + length(strings) + added(1L, 2L) + element(numbers, 1) + chosen(argc) + cast(argc);
    int* one = made(argc);
    destroyed(one);
    auto pair = std::make_pair(1, 2);
    sum += members(&pair);
    int array[3]{};
    sum += counted(array) + summed(1, 2L, 3.0) + std::get<0>(pairs(1, 2.0)).second + indexed(std::make_index_sequence<4>());
    sum += at<Point{1, 2}>() + named<"text">() + composed(Hidden{})(argc) + composed([](auto n) { return n; })(2);
    auto shared = std::make_shared<std::pair<std::string, std::unique_ptr<int>>>("a", std::make_unique<int>(3));
    sum += *shared->second;
    std::span<const int, 3> span(array);
    sum += span.size() + std::accumulate(span.begin(), span.end(), 0, std::plus<>());
    std::printf("%d\n", sum);
}

#include <any>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>
template <class... F> struct Overload : F... { using F::operator()...; };
template <class... F> Overload(F...) -> Overload<F...>;
using Value = std::variant<int, double, std::string, std::vector<int>>;
static double size_of(const Value& value) {
    return std::visit(Overload{
        [](int n) { return n * 1.0; },
        [](double d) { return d; },
        [](const auto& other) { return other.size() * 1.0; },
    }, value);
}
template <class F, class... A> auto apply_all(F&& f, A&&... a) { return (std::invoke(f, std::forward<A>(a)) + ...); }
template <class... A> int last_of(const A&... all, int last) { return last + sizeof...(all); }
template <class T, class... A> struct Wrap { static int go(T first, A... middle, int last) { return first + last + sizeof...(middle); } };
template <auto... V> struct Constants { static constexpr auto sum = (V + ... + 0); int get() const { return sum; } };
enum class Colour { red, green };
template <Colour C> int coloured() { return static_cast<int>(C); }
template <int (*F)(int)> int through(int n) { return F(n); }
template <class C, int (C::*M)() const> int member(const C& c) { return (c.*M)(); }
static int plus_one(int n) { return n + 1; }
int main(int argc, char**) {
    std::vector<Value> values{argc, 2.5, std::string("three"), std::vector<int>{1, 2}};
    double sum = 0;
    for (auto& value : values) sum += size_of(value);
    Value copy = values[2], moved = std::move(values[3]);
    std::swap(copy, moved);
    std::visit([&](auto&& a, auto&& b) { sum += sizeof(a) + sizeof(b); }, copy, moved);
    std::map<std::string, std::function<int(int, const std::string&)>> table;
    table["a"] = [&](int n, const std::string& s) { return n + (int)s.size() + argc; };
    table.emplace("b", [](auto n, auto&& s) { return (int)(n + s.size()); });
    for (auto& [name, f] : table) sum += f(argc, name);
    auto tuple = std::make_tuple(argc, 2.0, std::string("x"));
    std::apply([&](auto&&... parts) { ((sum += sizeof(parts)), ...); }, tuple);
    std::optional<std::string> maybe = argc > 5 ? std::nullopt : std::optional<std::string>("y");
    std::any anything = maybe.value_or("z");
    sum += std::any_cast<std::string&>(anything).size();
    sum += apply_all([](auto n) { return n + 1; }, 1, 2L, 3.0);
    sum += last_of<>(argc) + Wrap<int>::go(1, 2) + Wrap<int, char, long>::go(1, 'c', 2, 3);
    sum += Constants<1, 2L, 'c'>().get() + coloured<Colour::green>() + through<plus_one>(argc);
    sum += member<Constants<4>, &Constants<4>::get>({});
    auto generic = [](auto first, auto&... rest) { return first + sizeof...(rest); };
    auto again = [generic](auto x) { return [=](auto... y) { return generic(x) + (0 + ... + y); }; };
    sum += again(argc)(1, 2L) + generic(1, sum, copy);
    return (int)sum & 1;
}

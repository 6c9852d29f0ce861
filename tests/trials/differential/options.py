"""Made-up command lines of gprof."""

from pathlib import Path
from random import Random

from elf import OBJECT, Elf

SOURCES = ["main.c", "rings.c", "leaf.c", "shared.h", "names.cc", "bare.c", "labels.s", "nosuch.c"]
SWITCHES = [*"TzzalLcDrsixyB", "--inline-file-names", "--no-demangle"]
WITH_SPEC = [*"eEfFnNkkpPqqQQACJZ"]
OPTIONAL = "pPqQACJZ"


class Chooser:
    """Chooses options for a program."""

    def __init__(self, dice: Random, elf: Elf, folder: Path, sources: Path, files: bool = False):
        self.dice, self.folder, self.sources, self.files = dice, folder, sources, files
        self.elf = elf
        functions = [f.name for f in elf.functions()]
        ours = [n for n in functions if not n.startswith("_")] or functions
        others = [s.name for s in elf.symbols if s.name and s.type <= OBJECT]
        self.names = [functions, ours[:60], ours[:60], others]

    def options(self) -> list[str]:
        dice = self.dice
        # Explanations are in words of our own.
        chosen = ["-b"]
        for _ in range(dice.choice([0, 1, 1, 2, 2, 3, 4, 6])):
            kind = dice.random()
            if kind < 0.45:
                letter = dice.choice(SWITCHES)
                chosen.append(letter if letter.startswith("--") else f"-{letter}")
            elif kind < 0.88:
                chosen.append(self.filter(dice.choice(WITH_SPEC)))
            else:
                chosen.append(self.rare())
        if self.files and dice.random() < 0.5:
            chosen.append(dice.choice([f"-S{self.symbol_file()}", f"-R{self.map_file()}", "-s"]))
        if dice.random() < 0.6:
            chosen.append(f"-I{self.sources}")
        return chosen

    def filter(self, letter: str) -> str:
        spec = self.spec() if letter not in OPTIONAL or self.dice.random() < 0.75 else ""
        return f"-{letter}{spec}"

    def rare(self) -> str:
        dice = self.dice
        kind = dice.choice("wtmSRO")
        match kind:
            case "w":
                return f"-w{dice.choice([0, 1, 20, 40, 120, 300, -1, 'x'])}"
            case "t":
                return f"-t{dice.choice([0, 1, 3, 100, -1, 'x'])}"
            case "m":
                return f"-m{dice.choice([0, 1, 5, 100, -1, 'x'])}"
            case "S":
                return f"-S{self.symbol_file()}"
            case "R":
                return f"-R{self.map_file()}"
            case _:
                return f"-O{dice.choice(['auto', 'magic', 'bsd', '4.4bsd', 'm'])}"

    def spec(self) -> str:
        dice = self.dice
        if dice.random() < 0.25:
            return f"{self.half()}/{self.half()}"
        return self.half()

    def half(self) -> str:
        dice = self.dice
        kind = dice.random()
        file, line = dice.choice(SOURCES), dice.choice([0, 1, 3, 6, 9, 12, 15, 22, 99])
        name = dice.choice(dice.choice(self.names))
        if kind < 0.55:
            return name
        if kind < 0.65:
            return file
        if kind < 0.75:
            return f"{file}:{line}"
        if kind < 0.83:
            return f"{file}:{name}"
        if kind < 0.88:
            return str(line)
        if kind < 0.93:
            return ""
        return dice.choice(["0", ":", f":{name}", f"{file}:", f":{line}", "nosuch", "0x10", "."])

    def symbol_file(self) -> Path:
        """Symbols as nm prints them, some left out."""
        dice, digits = self.dice, self.elf.bits // 4
        lines = []
        for symbol in self.elf.functions():
            if dice.random() < 0.9:
                letter = "t" if symbol.is_local else dice.choice("TTTTW")
                lines.append(f"{symbol.address:0{digits}x} {letter} {symbol.name}\n")
        path = self.folder / "symbols"
        path.write_bytes("".join(lines).encode("utf-8", "surrogateescape"))
        return Path(path.name)

    def map_file(self) -> Path:
        """Which object file each function is from, as `nm -o` says it."""
        lines = []
        for symbol in self.elf.functions()[:400]:
            if self.dice.random() < 0.8:
                file = self.dice.choice(["main.o", "rings.o", "leaf.o"])
                lines.append(f"{file}:{symbol.address:08x} T {symbol.name}\n")
        path = self.folder / "map"
        path.write_bytes("".join(sorted(lines)).encode("utf-8", "surrogateescape"))
        return Path(path.name)

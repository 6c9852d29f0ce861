"""Made-up gmon.out files: of every layout, and of shapes that no run leaves behind."""

import struct
from random import Random

from elf import Elf

HISTOGRAM, ARC, BLOCKS = b"\0", b"\1", b"\2"
BSD44 = 0x00051879
DIMENSIONS = [("seconds", b"s")] * 6 + [("events", b"e"), ("fifteen letters", b"f"), ("none", b"\0")]


class Maker:
    """Makes profiles of one program; those of one case share their shape."""

    def __init__(self, dice: Random, elf: Elf):
        self.dice, self.elf = dice, elf
        self.functions = elf.functions()
        in_text = [f for f in self.functions if f.address in elf.text] or self.functions
        self.hot = dice.sample(in_text, min(len(in_text), dice.randint(2, 12)))
        self.ranges = self.some_ranges()
        self.bytes_per_bin = dice.choice([2, 2, 4, 4, 8, 3, 5, 7, 16, 64])
        self.rate = dice.choice([100] * 6 + [1, 1000, 1024, 1_000_000])
        self.dimension, self.abbreviation = dice.choice(DIMENSIONS)
        self.layout = dice.choice(["magic"] * 7 + ["bsd", "bsd44"])

    # Numbers as the program spells them.

    def word(self, number: int) -> bytes:
        return struct.pack(self.elf.order + "I", number & 0xFFFF_FFFF)

    def address(self, number: int) -> bytes:
        if self.elf.bits == 32:
            return self.word(number)
        return struct.pack(self.elf.order + "Q", number & 0xFFFF_FFFF_FFFF_FFFF)

    # Files.

    def profile(self) -> bytes:
        dice = self.dice
        layout = self.layout if dice.random() < 0.93 else dice.choice(["magic", "bsd", "bsd44"])
        data = self.magic() if layout == "magic" else self.bsd(layout == "bsd44")
        if dice.random() < 0.06:
            data = data[: dice.choice([dice.randrange(len(data) + 1), dice.randint(0, 70)])]
        return data

    def magic(self) -> bytes:
        dice = self.dice
        version = 1 if dice.random() < 0.98 else dice.choice([0, 2])
        records = []
        if dice.random() < 0.9:
            # One after the other, since none may meet another.
            records += [self.histogram(r) for r in self.ranges if dice.random() < 0.9]
            if dice.random() < 0.1 and records:
                records.append(dice.choice(records))
        if dice.random() < 0.85:
            records += [ARC + self.arc(4) for _ in range(dice.choice([1, 3, 8, 20, 60]))]
        # Of another byte order than its own, gprof reads the number of blocks wrong, and
        # in version 0 those of other word size.
        is_read_right = self.elf.order == "<" and (version, self.elf.bits) != (0, 32)
        if is_read_right and dice.random() < 0.2:
            records += [self.blocks(version) for _ in range(dice.randint(1, 3))]
        if dice.random() < 0.3:
            dice.shuffle(records)
        if dice.random() < 0.01:
            records.append(b"\3nothing")
        return b"gmon" + self.word(version) + bytes(12) + b"".join(records)

    def bsd(self, is_44: bool) -> bytes:
        low, high = self.ranges[0]
        bins = self.bins(low, high)
        size = 2 * (self.elf.bits // 8) + 4 + (20 if is_44 else 0)
        if not is_44 and self.elf.bits == 64 and self.dice.random() < 0.5:
            size += 4
        header = self.address(low) + self.address(high)
        total = size + 2 * len(bins) + (self.dice.random() < 0.05) * self.dice.randint(-3, 3)
        header += self.word(max(total, 0))
        if is_44:
            header += self.word(BSD44) + self.word(self.rate) + bytes(12)
        header = header.ljust(size, b"\0")
        count = self.elf.bits // 8
        n_arcs = self.dice.choice([0, 1, 8, 40])
        return header + self.packed(bins) + b"".join(self.arc(count) for _ in range(n_arcs))

    # Records.

    def histogram(self, range_: tuple[int, int]) -> bytes:
        dice = self.dice
        low, high = range_
        bins = self.bins(low, high)
        rate = self.rate if dice.random() < 0.97 else dice.choice([50, 100])
        dimension = self.dimension if dice.random() < 0.985 else "events"
        return b"".join([
            HISTOGRAM,
            self.address(low),
            self.address(high),
            self.word(len(bins)),
            self.word(rate),
            dimension.encode().ljust(15, b"\0"),
            self.abbreviation,
            self.packed(bins),
        ])

    def some_ranges(self) -> list[tuple[int, int]]:
        """Ranges that do not meet, in any order."""
        dice, text = self.dice, self.elf.text
        last = max(f.address for f in self.functions)
        whole = (text.start, text.stop)
        kind = dice.random()
        if kind < 0.45:
            return [whole]
        if kind < 0.6:
            low = text.start - dice.choice([0, 0, 1, 6, 0x1000])
            return [(max(low, 0), last + dice.choice([0, 1, 8, 0x40, 0x3000]))]
        if kind < 0.65:
            return [(last, last + 0x100), (max(text.start, 0), last)][: dice.randint(1, 2)]
        places = [dice.choice(self.functions).address for _ in range(dice.choice([2, 2, 4, 6]))]
        places = sorted({p + dice.choice([0, 0, 0, 1, 2, 5]) for p in places})
        ranges = [r for r in zip(places[::2], places[1::2]) if r[0] < r[1]] or [whole]
        dice.shuffle(ranges)
        return ranges

    def bins(self, low: int, high: int) -> list[int]:
        dice = self.dice
        n_bins = max((high - low) // self.bytes_per_bin, dice.random() < 0.9)
        n_bins = min(n_bins, 200_000)
        bins = [0] * n_bins
        if n_bins:
            for _ in range(dice.choice([0, 1, 3, 10, 40])):
                bins[dice.randrange(n_bins)] = dice.choice([1, 1, 2, 3, 7, 100, 999, 65535])
            for function in self.hot:
                index = (function.address - low) // self.bytes_per_bin + dice.randint(-1, 3)
                if 0 <= index < n_bins and dice.random() < 0.7:
                    bins[index] = dice.randint(1, 30)
        return bins

    def packed(self, bins: list[int]) -> bytes:
        return struct.pack(f"{self.elf.order}{len(bins)}H", *bins)

    def arc(self, count_size: int) -> bytes:
        dice = self.dice
        caller = self.place() + dice.choice([1, 3, 5, 8, 12])
        callee = self.place()
        if dice.random() < 0.1:
            callee += dice.randint(-4, 12)
        count = dice.choice([0, 1, 1, 2, 3, 5, 10, 77, 1000, dice.randrange(1 << 20), 0xFFFF_FFFF])
        spelled = self.word(count) if count_size == 4 else self.address(count)
        return self.address(caller) + self.address(callee) + spelled

    def place(self) -> int:
        kind = self.dice.random()
        if kind < 0.75:
            return self.dice.choice(self.hot).address
        if kind < 0.95:
            return self.dice.choice(self.functions).address
        return self.dice.choice([0, self.elf.text.start - 1, self.elf.text.stop, self.dice.choice(self.elf.text)])

    def blocks(self, version: int) -> bytes:
        dice = self.dice
        n_blocks = dice.choice([0, 1, 3, 12])
        entries = []
        for _ in range(n_blocks):
            place = self.place() + dice.randint(0, 24)
            entry = self.address(place) + self.address(dice.choice([0, 1, 2, 9, 1_000_000]))
            if version == 0:
                entry += b"file.c\0f\0" + struct.pack("i", dice.randint(0, 40))
            entries.append(entry)
        head = BLOCKS + self.word(n_blocks) + (b"name\0" if version == 0 else b"")
        return head + b"".join(entries)

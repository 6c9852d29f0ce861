"""What a made-up profile has to know of an ELF file."""

import struct
from dataclasses import dataclass
from pathlib import Path

FUNCTION, OBJECT, SECTION, FILE = 2, 1, 3, 4


@dataclass
class Symbol:
    name: str
    address: int
    type: int
    is_local: bool
    section: int


class Elf:
    """The symbols of an ELF file, its `.text`, and how it spells numbers."""

    def __init__(self, path: Path):
        data = path.read_bytes()
        self.bits = 64 if data[4] == 2 else 32
        self.order = "<" if data[5] == 1 else ">"
        if self.bits == 64:
            (table,) = self.numbers("Q", data, 40)
            size, count, strings = self.numbers("HHH", data, 58)
        else:
            (table,) = self.numbers("I", data, 32)
            size, count, strings = self.numbers("HHH", data, 46)
        headers = [self.header(data, table + size * index) for index in range(count)]
        names = headers[strings]
        self.text = next(
            range(h["address"], h["address"] + h["size"])
            for h in headers
            if string(data, names["offset"] + h["name"]) == ".text"
        )
        self.code = [i for i, h in enumerate(headers) if h["flags"] & 4]
        self.symbols = list(self.symbols_of(data, headers))

    def numbers(self, layout: str, data: bytes, offset: int):
        return struct.unpack_from(self.order + layout, data, offset)

    def header(self, data: bytes, offset: int) -> dict:
        layout = "IIQQQQIIQQ" if self.bits == 64 else "IIIIIIIIII"
        keys = ["name", "type", "flags", "address", "offset", "size", "link", "info"]
        return dict(zip(keys, self.numbers(layout, data, offset)))

    def symbols_of(self, data: bytes, headers):
        for table in headers:
            if table["type"] != 2:
                continue
            strings = headers[table["link"]]["offset"]
            size = 24 if self.bits == 64 else 16
            for offset in range(table["offset"] + size, table["offset"] + table["size"], size):
                if self.bits == 64:
                    name, info, _, section, address = self.numbers("IBBHQ", data, offset)
                else:
                    name, address, _, info, _, section = self.numbers("IIIBBH", data, offset)
                kind, binding = info & 15, info >> 4
                yield Symbol(string(data, strings + name), address, kind, binding == 0, section)

    def functions(self) -> list[Symbol]:
        """Symbols in code, by address."""
        found = [s for s in self.symbols if s.section in self.code and s.name and s.type < SECTION]
        return sorted(found, key=lambda s: s.address)


def string(data: bytes, offset: int) -> str:
    return data[offset : data.index(0, offset)].decode("utf-8", "surrogateescape")

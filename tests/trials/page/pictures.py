#!/usr/bin/env python3
"""Makes the pictures of pages in `docs` anew, with Chromium.

    tests/trials/page/pictures.py PROFAN
"""
import base64
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import browser

ROOT = Path(__file__).resolve().parents[3]

# The picture, the directory below `fixtures`, the command line and the address.
PICTURES = [
    ("page", "tour", "gmon.out primes", "#f=count_by_sieve"),
    ("page-flame", "pprof/go", "cpu.pb.gz", "#way=up"),
]


def main():
    profan, path = os.path.abspath(sys.argv[1]), browser.find()
    if not path:
        sys.exit("no chromium")
    with tempfile.TemporaryDirectory() as folder:
        tab = browser.Browser(path)
        try:
            tab.size(1280, 760)
            for name, fixture, words, address in PICTURES:
                page = Path(folder) / f"{name}.html"
                subprocess.run([profan, "-o", page, *words.split()], cwd=ROOT / "fixtures" / fixture,
                               check=True, stderr=subprocess.DEVNULL)
                tab.open(page, address)
                time.sleep(0.5)
                picture = tab.call("Page.captureScreenshot", format="webp", quality=60)
                (ROOT / "docs" / f"{name}.webp").write_bytes(base64.b64decode(picture["data"]))
        finally:
            tab.close()


if __name__ == "__main__":
    main()

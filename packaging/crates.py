#!/usr/bin/env python3
"""Describes the crates that the program is made of: `crates.py sbom FILE` writes a bill of materials in CycloneDX
1.6, `crates.py licences FILE` the texts of all licences. Fails on a licence that is not in ACCEPTED.

Both are made from `cargo tree`, `cargo metadata` and `Cargo.lock`, and are the same for the same commit.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
import uuid
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "quarry"
# In the order of preference where a crate offers several. All of them allow the program to be passed on in binary
# form; MPL-2.0 and CDLA-Permissive-2.0 do for unchanged files.
ACCEPTED = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "0BSD",
    "Unlicense",
    "CC0-1.0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "CDLA-Permissive-2.0",
    "MPL-2.0",
]
# Licences of crates that only name a file, with the digest of that file, so that a new text is read again.
NAMED_BY_FILE = {
    "webpki": ("ISC", "5b698ca13897be3afdb7174256fa1574f8c6892b8bea1a66dd6469d3fe27885a"),
}
LICENCE_FILE = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
# Words in the names of files, with the licences that they belong to.
WORDS = {
    "mit": "MIT",
    "apache": "Apache-2.0",
    "gpl": "GPL",
    "mpl": "MPL-2.0",
    "boost": "BSL-1.0",
    "zlib": "Zlib",
    "unlicense": "Unlicense",
    "0bsd": "0BSD",
    "cc0": "CC0-1.0",
}
# Licences of files that crates contain in addition to their own code.
LICENCE_FOLDERS = ("LICENSES", "third-party", "c_src/mimalloc/v2", "c_src/mimalloc/v3", "c_src/mimalloc")


class Refused(Exception):
    """What keeps a crate out of a release."""


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def choose(expression):
    """Returns the accepted licences that an SPDX expression asks for; None if it cannot be satisfied."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))

    def alternatives():
        found = requirements()
        while tokens and tokens[0].upper() == "OR":
            tokens.pop(0)
            other = requirements()
            options = [option for option in (found, other) if option is not None]
            found = min(options, key=lambda option: (len(option), [ACCEPTED.index(name) for name in option]), default=None)
        return found

    def requirements():
        found = licence()
        while tokens and tokens[0].upper() == "AND":
            tokens.pop(0)
            other = licence()
            found = None if found is None or other is None else sorted({*found, *other}, key=ACCEPTED.index)
        return found

    def licence():
        if not tokens:
            raise Refused(f"the licence {expression!r} cannot be understood")
        token = tokens.pop(0)
        if token == "(":
            found = alternatives()
            if not tokens or tokens.pop(0) != ")":
                raise Refused(f"the licence {expression!r} cannot be understood")
            return found
        if tokens and tokens[0].upper() == "WITH":
            tokens.pop(0)
            token += " WITH " + (tokens.pop(0) if tokens else "")
        return [token] if token in ACCEPTED else None

    found = alternatives()
    if tokens:
        raise Refused(f"the licence {expression!r} cannot be understood")
    return found


def expression_of(package):
    """Returns the licence of a crate as its manifest names it."""
    if package["license"]:
        return package["license"]
    name = package["name"]
    if package["license_file"] and name in NAMED_BY_FILE:
        licence, digest = NAMED_BY_FILE[name]
        text = (Path(package["manifest_path"]).parent / package["license_file"]).read_bytes()
        if hashlib.sha256(text).hexdigest() == digest:
            return licence
        raise Refused(f"{name}: the text of its licence has changed; read it, then change NAMED_BY_FILE")
    raise Refused(f"{name} names no licence")


def packages():
    """Returns the crates that are linked into the program, without those that only run while it is built."""
    tree = cargo("tree", "--locked", "--package", PROGRAM, "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}")
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    host = re.search("^host: (.*)$", subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout, re.MULTILINE)
    metadata = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", host.group(1)))
    found = [package for package in metadata["packages"] if (package["name"], "v" + package["version"]) in linked]
    if len(found) != len(linked):
        raise Refused(f"cargo tree names {len(linked)} crates, cargo metadata {len(found)} of them")
    found.sort(key=lambda package: (package["name"], package["version"]))
    own = set(metadata["workspace_members"])
    return metadata, found, own


def check(found):
    """Returns the chosen licences of each crate. Names every crate whose licence is not accepted."""
    chosen = {}
    problems = []
    for package in found:
        try:
            licences = choose(expression_of(package))
            if licences is None:
                raise Refused(f"{package['name']}: the licence {package['license']} is not accepted")
            chosen[package["id"]] = licences
        except Refused as problem:
            problems.append(str(problem))
    if problems:
        raise Refused("\n".join(problems))
    return chosen


def timestamp():
    """Returns the time of the release: SOURCE_DATE_EPOCH, or that of the last commit."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        epoch = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return datetime.fromtimestamp(int(epoch), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def purl(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def sbom(metadata, found, own, chosen):
    lock = tomllib.loads((ROOT / "Cargo.lock").read_text())
    checksums = {(entry["name"], entry["version"]): entry.get("checksum") for entry in lock["package"]}
    ids = {package["id"]: package for package in found}

    def component(package):
        described = {
            "type": "application" if package["name"] == PROGRAM else "library",
            "bom-ref": purl(package),
            "name": package["name"],
            "version": package["version"],
            "scope": "required",
            "licenses": [{"expression": " AND ".join(chosen[package["id"]])}],
            "purl": purl(package),
        }
        if package["description"]:
            described["description"] = " ".join(package["description"].split())
        checksum = checksums.get((package["name"], package["version"]))
        if checksum:
            described["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        if package["repository"] and re.match(r"https?://\S+$", package["repository"]):
            described["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
        return described

    program = next(package for package in found if package["name"] == PROGRAM and package["id"] in own)
    dependencies = []
    for node in sorted(metadata["resolve"]["nodes"], key=lambda node: node["id"]):
        if node["id"] not in ids:
            continue
        normal = (d["pkg"] for d in node["deps"] if any(kind["kind"] is None for kind in d["dep_kinds"]))
        needed = sorted({purl(ids[other]) for other in normal if other in ids})
        dependencies.append({"ref": purl(ids[node["id"]]), "dependsOn": needed})
    bom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": timestamp(),
            "lifecycles": [{"phase": "build"}],
            "component": component(program),
        },
        "components": [component(package) for package in found if package is not program],
        "dependencies": sorted(dependencies, key=lambda entry: entry["ref"]),
    }
    # A serial number that is the same for the same content.
    digest = hashlib.sha256(json.dumps(bom, sort_keys=True).encode()).hexdigest()
    bom = {**bom, "serialNumber": f"urn:uuid:{uuid.UUID(digest[:32], version=4)}"}
    return json.dumps(bom, indent=1, ensure_ascii=False) + "\n"


def licence_files(package, chosen):
    """Returns the files with licences and notices in the source of a crate, without those of licences that it also
    offers."""
    folder = Path(package["manifest_path"]).parent
    folders = [folder, *(folder / name for name in LICENCE_FOLDERS)]
    paths = [path for place in folders if place.is_dir() for path in place.iterdir()]
    named = [path for path in paths if path.is_file() and (LICENCE_FILE.match(path.name) or path.parent.name == "LICENSES")]
    if package["license_file"]:
        named.append(folder / package["license_file"])
    files = sorted({path.resolve() for path in named})
    offered = {path: {WORDS[word] for word in WORDS if word in path.name.lower()} for path in files}
    chosen_files = [path for path in files if any(licence.startswith(tuple(offered[path])) for licence in chosen if offered[path])]
    return chosen_files + [path for path in files if not offered[path]] or files


def licences(found, own, chosen):
    others = [package for package in found if package["id"] not in own]

    def found_in(package):
        found = [path.read_text(errors="replace").strip() for path in licence_files(package, chosen[package["id"]])]
        # Some files only name the licences whose texts are in others.
        return [text for text in found if len(text) > 100] or found

    texts = {package["id"]: found_in(package) for package in others}
    by_repository = {package["repository"]: texts[package["id"]] for package in others if texts[package["id"]]}
    lines = [
        "Quarry is under the MIT license, see the file LICENSE. It contains the crates below, under their own licences,",
        "and SQLite, which is in the public domain. The demonstration data is under the licences that its description names.",
        "",
    ]
    users = {}
    for package in others:
        name = f"{package['name']} {package['version']}"
        lines.append(f"{name}: {' AND '.join(chosen[package['id']])}")
        found_texts = texts[package["id"]] or by_repository.get(package["repository"], [])
        if not found_texts:
            # A crate without a file is passed on with the text of its licence and the names of its authors.
            authors = ", ".join(re.sub(r"\s*<[^>]*>", "", author) for author in package["authors"]) or f"the authors of {package['name']}"
            names = chosen[package["id"]]
            found_texts = [(ROOT / "packaging/licences" / licence).read_text().strip().replace("@AUTHORS@", authors) for licence in names]
        for text in found_texts:
            users.setdefault(text, []).append(name)
    for text, names in users.items():
        lines += ["", "=" * 100, "of " + ", ".join(names), "-" * 100, "", text]
    return "\n".join(lines) + "\n"


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "choose":
        print(choose(arguments[1]))
        return
    if len(arguments) != 2 or arguments[0] not in ("sbom", "licences"):
        sys.exit("usage: crates.py sbom|licences FILE")
    metadata, found, own = packages()
    chosen = check(found)
    text = sbom(metadata, found, own, chosen) if arguments[0] == "sbom" else licences(found, own, chosen)
    Path(arguments[1]).write_text(text)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refused as problem:
        sys.exit(str(problem))
    except (subprocess.CalledProcessError, OSError) as problem:
        sys.exit(f"{problem}\n{getattr(problem, 'stderr', '') or ''}")

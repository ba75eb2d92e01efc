"""A PEP 517 build backend in the standard library: ``pip install`` of this folder needs no network.

Wheels are reproducible: the same sources give the same bytes.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import tarfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACKAGE = "rowpress"


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def project():
    """Returns the text members of [project] (tomllib needs Python 3.11) and the version of the package."""
    table = read("pyproject.toml").split("[project]")[1].split("\n[")[0]
    members = dict(re.findall(r'^([\w-]+) = "(.*)"$', table, re.MULTILINE))
    version = re.fullmatch(r'VERSION = "([\d.]+)"\n', read(f"{PACKAGE}/version.py"))
    return {**members, "version": version[1]}


def metadata():
    members = project()
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {members['name']}\n"
        f"Version: {members['version']}\n"
        f"Summary: {members['description']}\n"
        "License: MIT\n"
        f"Requires-Python: {members['requires-python']}\n"
        "Description-Content-Type: text/markdown\n"
        "\n" + read("README.md")
    )


def modules():
    folder = os.path.join(ROOT, PACKAGE)
    return [f"{PACKAGE}/{name}" for name in sorted(os.listdir(folder)) if name.endswith((".py", ".typed"))]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    members = project()
    stem = f"{members['name']}-{members['version']}"
    info = f"{stem}.dist-info"
    files = [(path, read(path)) for path in modules()]
    files += [
        (f"{info}/METADATA", metadata()),
        (f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: rowpress\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ]
    record = ""
    name = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, text in files:
            data = text.encode("utf-8")
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")
            record += f"{path},sha256={digest},{len(data)}\n"
            wheel.writestr(entry(path), data)
        path = f"{info}/RECORD"
        wheel.writestr(entry(path), f"{record}{path},,\n")
    return name


def entry(path):
    made = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
    made.compress_type = zipfile.ZIP_DEFLATED
    made.external_attr = 0o644 << 16
    return made


def build_sdist(sdist_directory, config_settings=None):
    members = project()
    stem = f"{members['name']}-{members['version']}"
    name = f"{stem}.tar.gz"
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        texts = [(path, read(path)) for path in [*modules(), "README.md", "pyproject.toml", "backend/wheel_backend.py"]]
        for path, text in [*texts, ("PKG-INFO", metadata())]:
            data = text.encode("utf-8")
            member = tarfile.TarInfo(f"{stem}/{path}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    with open(os.path.join(sdist_directory, name), "wb") as file:
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
            packed.write(buffer.getvalue())
    return name

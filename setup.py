"""Builds the package: our three Python packages, and the built pages as `webapp/pages`. Settings: pyproject.toml."""

from pathlib import Path

from setuptools import find_packages, setup

PAGES = "frontend/dist"

if not Path(PAGES, "index.html").exists():
    raise SystemExit("The pages are not built yet: run `make install` first.")

setup(
    packages=[*find_packages(include=["designer*", "runner*", "webapp*"]), "webapp.pages"],
    package_dir={"webapp.pages": PAGES},
    package_data={"": ["*", "**/*"]},
    exclude_package_data={"": ["*.pyc", "**/__pycache__/*"]},
)

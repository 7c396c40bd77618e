"""Builds the package: our three Python packages, the built pages as `webapp/pages`, the site of docs/ as `webapp/site`.

Settings: pyproject.toml.
"""

from pathlib import Path

from setuptools import find_packages, setup

PAGES, SITE = "frontend/dist", ".run/site"

if not all(Path(folder, "index.html").exists() for folder in (PAGES, SITE)):
    raise SystemExit("The pages are not built yet: run `make install` first.")

setup(
    packages=[*find_packages(include=["designer*", "runner*", "webapp*"]), "webapp.pages", "webapp.site"],
    package_dir={"webapp.pages": PAGES, "webapp.site": SITE},
    package_data={"": ["*", "**/*"]},
    exclude_package_data={"": ["*.pyc", "**/__pycache__/*"]},
)

"""MkDocs' hooks during the build of the site: pages made from the code, which are not in Git."""

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).parents[2]))

from webapp.docs.reference import make_pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the generated pages."""
    for path, text in make_pages().items():
        files.append(File.generated(config, path, content=text))
    return files
